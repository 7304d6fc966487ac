export {
  createRegistry,
  defineTask,
  InvalidPayload,
  type JobState,
  type QueueName,
  queues,
  type Task,
  type TaskContext,
} from './contract.ts';
export { CronError, nextOccurrence, parseCron, previousOccurrence } from './cron.ts';
export { enqueue, enqueueMany } from './enqueue.ts';
export { permanentFailure, rescheduleIn } from './finish.ts';
export { abortJob, clearFailedJobs, getJob, listJobs, retryJob, runningJobs, summariseJobs } from './jobs.ts';
export { listen, type Listener } from './listener.ts';
export { purgeJobs, reap, type ReapCounts, type StallLimits } from './reaper.ts';
export { createScheduler, deleteSchedule, fireIfDue, type Schedule, scheduledTask } from './schedule.ts';
export { createWorker, type Worker, type WorkerOptions } from './worker.ts';
