// Who uses a phone, and what the server knows of them: asked beside the browsers, by somebody who
// signs in anew and sees only what the server really has.

import type { Learner } from '../fixtures/app';

export class Witness {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  static async of(url: string, learner: Learner): Promise<Witness> {
    const answer = await post(`${url}/api/v1/sign-in`, learner, '');
    const cookie = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]).join('; ');
    if (!answer.ok || cookie === '') {
      throw new Error(`${learner.name} could not sign in: ${answer.status}`);
    }
    return new Witness(url, cookie);
  }

  /** How often each kind of thing has happened to a task. */
  async happened(task: string): Promise<Record<string, number>> {
    const { events } = await this.ask<{ events: { kind: string }[] }>('tasks/events', { task_id: task, after_seq: 0 });
    const counts: Record<string, number> = {};
    events.forEach(({ kind }) => (counts[kind] = (counts[kind] ?? 0) + 1));
    return counts;
  }

  async library(): Promise<{ task_id: string; draft_version: number }[]> {
    return (await this.ask<{ entries: { task_id: string; draft_version: number }[] }>('library/list', {})).entries;
  }

  private async ask<T>(path: string, body: unknown): Promise<T> {
    const answer = await post(`${this.url}/api/v1/${path}`, body, this.cookie);
    if (!answer.ok) {
      throw new Error(`${path} was answered ${answer.status}`);
    }
    return (await answer.json()) as T;
  }
}

function post(url: string, body: unknown, cookie: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
