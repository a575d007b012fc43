// The W3C WebDriver protocol, as far as a phone needs it. Fifteen calls do not need a library:
// selenium-webdriver brings programs that download drivers, webdriver seven packages of its own.

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export type Element = { [ELEMENT]: string };

/** The driver's own refusal, by the code that the protocol gives it. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

export class Session {
  private constructor(private readonly url: string) {}

  static async open(driver: string, capabilities: unknown): Promise<Session> {
    const { sessionId } = (await call('POST', `${driver}/session`, { capabilities })) as { sessionId: string };
    return new Session(`${driver}/session/${sessionId}`);
  }

  async ask<T>(path: string): Promise<T> {
    return (await call('GET', this.url + path)) as T;
  }

  async tell<T>(path: string, body: unknown = {}): Promise<T> {
    return (await call('POST', this.url + path, body)) as T;
  }

  async remove(path: string): Promise<void> {
    await call('DELETE', this.url + path);
  }

  async find(css: string): Promise<Element[]> {
    return this.tell('/elements', { using: 'css selector', value: css });
  }

  async about(element: Element, path: string): Promise<string> {
    return this.ask(`/element/${element[ELEMENT]}/${path}`);
  }

  async act(element: Element, path: string, body: unknown = {}): Promise<void> {
    await this.tell(`/element/${element[ELEMENT]}/${path}`, body);
  }

  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.tell('/execute/sync', { script, args });
  }
}

async function call(method: string, url: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
  if (!answer.ok) {
    throw new Refused(value?.error ?? String(answer.status), value?.message ?? '');
  }
  return value;
}
