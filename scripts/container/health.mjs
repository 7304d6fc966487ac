// The health check of the container. A container that only runs a worker has no port: compose.full.yaml switches the check off there.
const port = process.env.SVC_PORT ?? '8484';
const protocol = process.env.SVC_TLS_CERT_FILE ? 'https' : 'http';
// The certificate names the address that people use, not the one inside the container.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const response = await fetch(`${protocol}://127.0.0.1:${port}/api/v1/health`).catch(() => null);
process.exit(response?.ok ? 0 : 1);
