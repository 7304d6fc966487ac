export { type EnqueueOptions, type JobState, type QueueName, queues, type Task, type TaskContext } from './contract.ts';
export { enqueue, enqueueMany } from './enqueue.ts';
export { giveUp, Interruption, reschedule } from './outcomes.ts';
export type { CronSchedulesTable, JobsTable, WorkersTable } from './tables.ts';
export { createRegistry, defineTask, InvalidPayload, type TaskRegistry } from './tasks.ts';
export { createWorker, type Worker, type WorkerOptions } from './worker.ts';
