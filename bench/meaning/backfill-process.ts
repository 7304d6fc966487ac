/** Embeds waiting items like the task of a worker until it is stopped. Arguments: database address as JSON, folder of the model. */
import { createEmbedder } from '../../server/src/content/embeddings/create.ts';
import { adoptModel, embedPending } from '../../server/src/content/embeddings/service.ts';
import { connect } from '../../server/src/platform/database/index.ts';
import { settingsForTests } from '../../server/src/settings/index.ts';

const [, , address = '', folder = ''] = process.argv;
const { db } = connect(JSON.parse(address));
const embedder = createEmbedder(settingsForTests({ SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: folder }), { background: true });
const { signal } = new AbortController();
process.on('disconnect', () => process.exit(0));
const modelId = await adoptModel(db, embedder);
process.send?.('ready');
while ((await embedPending(db, { embedder, modelId, signal })) > 0);
