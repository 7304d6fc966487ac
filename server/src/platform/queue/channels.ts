/** Workers listen here; the payload is the queue that has new work. */
export const readyChannel = 'jobs_ready';

/** Someone asked a running job to stop; the payload is the job's id. */
export const abortChannel = 'jobs_abort';
