// Processes that the engines start. Each is ended by its own id, also when the runner ends early.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { until } from '../fixtures/until';

const PATIENCE = 5_000;

const living = new Set<{ kill(): unknown }>();
process.on('exit', () => living.forEach((it) => it.kill()));

export class Child {
  private constructor(
    readonly process: ChildProcess,
    private readonly ended: Promise<unknown>,
  ) {}

  static start(command: string, args: string[], env: NodeJS.ProcessEnv, stdio: StdioOptions): Child {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio });
    const last = { kill: () => child.kill('SIGKILL') };
    living.add(last);
    const ended = once(child, 'exit').finally(() => living.delete(last));
    // A program that is not there at all: whoever waits for it to say something says so.
    ended.catch(() => undefined);
    return new Child(child, ended);
  }

  /** Whether it has ended by itself. */
  get over(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Waits for its own end, asks for it when the patience is over, and then does not ask any more. */
  async end(patience = 0): Promise<void> {
    for (const [signal, wait] of [[undefined, patience], ['SIGTERM', PATIENCE], ['SIGKILL', PATIENCE]] as const) {
      if (this.over) {
        return;
      }
      if (signal) {
        this.process.kill(signal);
      }
      await Promise.race([this.ended, soon(wait)]);
    }
  }
}

/** A process that one of ours started. */
export class Guest {
  constructor(private readonly pid: number) {
    living.add(this);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (!this.over) {
      process.kill(this.pid, signal);
    }
  }

  /** A process that nobody has taken note of is over too. */
  private get over(): boolean {
    const state = existsSync(`/proc/${this.pid}/stat`) && readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ').at(-1);
    return !state || state.startsWith('Z');
  }

  /** Waits for its own end, and then does not wait any more. */
  async end(): Promise<void> {
    await until('the browser has ended', async () => this.over, PATIENCE).catch(() => this.kill());
    living.delete(this);
  }
}

function soon(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
