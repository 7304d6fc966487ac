import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { queues, type QueueName, type Task } from './contract.ts';

/** Declares a task; only here so that the payload's type is inferred from its schema. */
export function defineTask<Payload extends TSchema>(task: Task<Payload>): Task<Payload> {
  if (!(task.queue in queues)) throw new Error(`Task ${task.name} names the queue ${task.queue}, which does not exist.`);
  if (!Number.isInteger(task.attempts) || task.attempts < 1) throw new Error(`Task ${task.name} must have at least one attempt.`);
  if (task.batch !== undefined && (!Number.isInteger(task.batch) || task.batch < 1))
    throw new Error(`Task ${task.name} has a batch below one.`);
  return task;
}

export type TaskRegistry = ReadonlyMap<string, Task>;

/** All tasks a worker can perform, by name. Two tasks of one name are a mistake in the program. */
export function createRegistry(tasks: readonly Task[]): TaskRegistry {
  const registry = new Map<string, Task>();
  for (const task of tasks) {
    if (registry.has(task.name)) throw new Error(`Two tasks are named ${task.name}.`);
    registry.set(task.name, task);
  }
  return registry;
}

/** A payload that does not fit its task's schema. Running it again cannot help. */
export class InvalidPayload extends Error {
  constructor(task: string, detail: string) {
    super(`The payload of ${task} does not fit its schema: ${detail}.`);
    this.name = 'InvalidPayload';
  }
}

const validators = new WeakMap<TSchema, Validator>();

/** Answers the payload, typed, or throws InvalidPayload. The schema is compiled at its first use. */
export function checkPayload<Payload extends TSchema>(task: Task<Payload>, payload: unknown): Static<Payload> {
  let validator = validators.get(task.payload);
  if (!validator) {
    validator = Compile(task.payload as TSchema);
    validators.set(task.payload, validator);
  }
  if (!validator.Check(payload)) {
    const first = validator.Errors(payload).at(-1);
    throw new InvalidPayload(task.name, first ? `${first.instancePath || 'it'} ${first.message}` : 'it is not valid');
  }
  return payload as Static<Payload>;
}

/** The task names a worker serves: those of its queues. A job whose task this program does not know stays in todo for one that does. */
export function tasksForQueues(registry: TaskRegistry, served: readonly QueueName[]): Task[] {
  return [...registry.values()].filter((task) => served.includes(task.queue));
}
