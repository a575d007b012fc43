// The fault proxy does what it says: each way of breaking, against a server of a few lines.

import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from '@playwright/test';
import { type Fault, Network } from '../fixtures/network';
import { Dice } from '../fixtures/network/dice';
import { until } from '../fixtures/until';

/** Answers with what it was sent; its streams are spoken through by the test. */
class Echo {
  readonly got: string[] = [];
  readonly streams = new Set<{ write(text: string): unknown }>();
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Echo> {
    const server = createServer().listen(0, '127.0.0.1');
    const echo = new Echo(server);
    server.on('request', (asked: IncomingMessage, reply) => {
      let body = '';
      asked.on('data', (piece: Buffer) => (body += piece.toString()));
      asked.on('end', () => {
        echo.got.push(`${asked.method} ${asked.url} ${body}`.trim());
        if (asked.url?.endsWith('/stream')) {
          reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
          echo.streams.add(reply);
        } else {
          reply.writeHead(200, { 'content-type': 'application/json' }).end(body);
        }
      });
    });
    await once(server, 'listening');
    return echo;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

type Answer = { status: number | undefined; body: string; ended: boolean; over: boolean };

const test = base.extend<{ echo: Echo; network: Network }>({
  echo: async ({}, use) => {
    const echo = await Echo.open();
    await use(echo);
    echo.close();
  },
  network: async ({}, use) => {
    const network = await Network.open();
    await use(network);
    network.close();
  },
});

/** Asks through the proxy; the answer fills in while it comes. */
function ask(network: Network, url: string, body = ''): Answer {
  const answer: Answer = { status: undefined, body: '', ended: false, over: false };
  const port = Number(new URL(network.proxy.server).port);
  const asked = request({ host: '127.0.0.1', port, path: url, method: body ? 'POST' : 'GET', agent: false });
  asked.on('response', (reply) => {
    answer.status = reply.statusCode;
    reply.on('data', (piece: Buffer) => (answer.body += piece.toString()));
    reply.on('end', () => (answer.ended = reply.complete));
    reply.on('close', () => (answer.over = true));
    reply.on('error', () => (answer.over = true));
  });
  asked.on('error', () => (answer.over = true));
  asked.end(body);
  return answer;
}

const over = (answer: Answer): Promise<void> => until('the exchange is over', async () => answer.over);

async function under(network: Network, fault: Fault, url: string, body?: string): Promise<Answer> {
  network.fail(fault);
  const answer = ask(network, url, body);
  await over(answer);
  return answer;
}

const COMMAND = '{"op_id":"0192f0c1-0000-7000-8000-000000000001","task_id":"0192f0c1-0000-7000-8000-000000000002"}';
const OP = '0192f0c1-0000-7000-8000-000000000001';

test('without a fault everything passes, and the log says so', async ({ echo, network }) => {
  const answer = ask(network, `${echo.url}/api/tasks/edit`, COMMAND);
  await over(answer);
  expect(answer).toMatchObject({ status: 200, body: COMMAND, ended: true });
  expect(network.log.commands(OP)).toMatchObject([
    { method: 'POST', path: '/api/tasks/edit', delivered: true, status: 200, answered: true },
  ]);
});

test('refused: nothing is delivered, nothing is answered', async ({ echo, network }) => {
  expect(await under(network, { kind: 'refuse' }, `${echo.url}/x`)).toMatchObject({ status: undefined });
  expect(echo.got).toEqual([]);
});

test('a black hole keeps still until it is restored, and what it swallowed stays swallowed', async ({ echo, network }) => {
  network.fail({ kind: 'blackhole' });
  const [hole, onward] = [ask(network, `${echo.url}/x`, COMMAND), await Network.open()];
  await until('it was asked', async () => network.log.commands(OP).length === 1);
  // Something that was asked later, on another way, is through: time enough has passed.
  await over(ask(onward, `${echo.url}/later`));
  expect(hole).toMatchObject({ status: undefined, over: false });
  network.mend();
  await over(ask(network, `${echo.url}/new`));
  expect(hole.over).toBe(false);
  network.restore();
  await over(hole);
  expect(echo.got).toEqual(['GET /later', 'GET /new']);
  expect(network.log.commands(OP)).toMatchObject([{ delivered: false, answered: false }]);
  onward.close();
});

test('delivered, and the reply is dropped', async ({ echo, network }) => {
  const answer = await under(network, { kind: 'drop-reply' }, `${echo.url}/x`, COMMAND);
  expect(answer.status).toBeUndefined();
  expect(echo.got).toEqual([`POST /x ${COMMAND}`]);
  expect(network.log.commands(OP)).toMatchObject([{ delivered: true, status: 200, answered: false }]);
});

test('a portal answers in place of the server', async ({ echo, network }) => {
  const portal: Fault = { kind: 'answer', status: 200, body: '<h1>Hotel</h1>' };
  expect(await under(network, portal, `${echo.url}/x`, COMMAND)).toMatchObject({ status: 200, body: '<h1>Hotel</h1>' });
  const broken = { ...portal, status: 503 };
  expect(await under(network, broken, `${echo.url}/x`)).toMatchObject({ status: 503 });
  expect(echo.got).toEqual([]);
});

test('stalled after the headers: the body never ends', async ({ echo, network }) => {
  network.fail({ kind: 'stall' });
  const answer = ask(network, `${echo.url}/x`, COMMAND);
  await until('the headers are here', async () => answer.status === 200);
  expect(answer).toMatchObject({ body: '', ended: false, over: false });
  expect(network.log.commands(OP)).toMatchObject([{ delivered: true, status: 200, answered: false }]);
});

test('broken off after so many bytes', async ({ echo, network }) => {
  const answer = await under(network, { kind: 'break-off', bytes: 10 }, `${echo.url}/x`, COMMAND);
  expect(answer).toMatchObject({ status: 200, body: COMMAND.slice(0, 10), ended: false });
});

test('a stream passes piece by piece, and is frozen while it is open', async ({ echo, network }) => {
  const heard = ask(network, `${echo.url}/stream`);
  await until('the first event is here', async () => heard.body === 'data: first\n\n');
  network.fail({ kind: 'freeze-stream' });
  echo.streams.forEach((stream) => stream.write('data: second\n\n'));
  await over(ask(network, `${echo.url}/other`));
  expect(heard).toMatchObject({ body: 'data: first\n\n', over: false });
  network.mend();
  echo.streams.forEach((stream) => stream.write('data: third\n\n'));
  await until('it is heard again', async () => heard.body === 'data: first\n\ndata: third\n\n');
});

test('throttled: so many bytes a second', async ({ echo, network }) => {
  const [text, before] = ['x'.repeat(1_000), Date.now()];
  const answer = await under(network, { kind: 'throttle', bytesPerSecond: 2_000, latencyMs: 100 }, `${echo.url}/x`, text);
  expect(answer).toMatchObject({ body: text, ended: true });
  expect(Date.now() - before).toBeGreaterThan(550);
});

test('the same seed rolls the same waits, another one others, and none is out of bounds', () => {
  const rolls = (seed: number): number[] => {
    const fault = { seed };
    return Array.from({ length: 20 }, () => Dice.of(fault).between([50, 250]));
  };
  expect(rolls(7)).toEqual(rolls(7));
  expect(rolls(7)).not.toEqual(rolls(8));
  expect(new Set(rolls(7)).size).toBeGreaterThan(10);
  expect(Math.min(...rolls(7))).toBeGreaterThanOrEqual(50);
  expect(Math.max(...rolls(7))).toBeLessThanOrEqual(250);
});

test('delayed as long as the dice say, requests or replies', async ({ echo, network }) => {
  for (const of of ['request', 'reply'] as const) {
    const rolled = Dice.of({ seed: 7 }).between([150, 250]);
    const before = performance.now();
    await under(network, { kind: 'delay', ms: [150, 250], seed: 7, of }, `${echo.url}/x`);
    // A timer may ring a moment early; how late it rings is the machine's affair.
    expect(performance.now() - before, of).toBeGreaterThan(rolled - 5);
  }
});

test('held at a gate, before the server or on the way back', async ({ echo, network }) => {
  const there = network.hold({ only: '/x' });
  const first = ask(network, `${echo.url}/x`, COMMAND);
  await until('it waits', async () => there.waiting === 1);
  await over(ask(network, `${echo.url}/other`));
  expect(echo.got).toEqual(['GET /other']);
  there.open();
  await over(first);
  expect(first.status).toBe(200);

  const back = network.hold({ of: 'reply' });
  const second = ask(network, `${echo.url}/y`);
  await until('the server has answered', async () => back.waiting === 1);
  expect(echo.got.at(-1)).toBe('GET /y');
  expect(second.status).toBeUndefined();
  network.restore();
  await over(second);
});

test('a fault strikes by address, by what is said, and so many times', async ({ echo, network }) => {
  network.fail(
    { kind: 'answer', status: 500, body: '', saying: OP, times: 1 },
    { kind: 'answer', status: 404, body: '', at: '/' },
    { kind: 'refuse', only: '/secret' },
  );
  const statuses = [];
  for (const [path, body] of [['/x'], ['/x', COMMAND], ['/x', COMMAND], ['/secret'], ['/y'], ['/']] as const) {
    const answer = ask(network, `${echo.url}${path}`, body);
    await over(answer);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 500, 200, undefined, 200, 404]);
});

test('what the browser was told of saved tasks is known', async ({ echo, network }) => {
  const said = async (body: string): Promise<string[]> => {
    await over(ask(network, `${echo.url}/api/v1/tasks/read`, body));
    return [...network.log.saidSaved];
  };
  expect(await said('{"task_id":"a","state":"accepted","saved_at":null}')).toEqual([]);
  expect(await said('{"op":{},"task":{"task_id":"b","state":"saved"}}')).toEqual(['b']);
  network.fail({ kind: 'drop-reply' });
  expect(await said('{"entries":[{"task_id":"c","entry_id":"e"}]}')).toEqual(['b']);
  network.mend();
  expect(await said('{"entries":[{"task_id":"c","entry_id":"e"}]}')).toEqual(['b', 'c']);
});
