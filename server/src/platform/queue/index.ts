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
export { isPermanentFailure, JobInterrupted, permanentFailure, rescheduleIn } from './finish.ts';
export { abortJob, clearFailedJobs, getJob, listJobs, retryJob, runningJobs, setPriority, summariseJobs } from './jobs.ts';
export { runningWorkerLabels } from './labels.ts';
export { type Listener, listen } from './listener.ts';
export { purgeJobs, type ReapCounts, reap, type StallLimits } from './reaper.ts';
export { createScheduler, deleteSchedule, fireIfDue, nextFirings, noteSchedule, notYet, type Schedule, scheduledTask } from './schedule.ts';
export { createWorker, type Worker, type WorkerOptions } from './worker.ts';
