// The contract of the slots (frontend/tests) in this engine's own storage. wasm-bindgen's runner knows
// no driver of WebKitGTK and only an older one of Firefox: it serves the tests as a page here, and the
// page says how they went. `cargo xtask test` compiles them and names them.

import { createInterface } from 'node:readline';
import { Child } from '../child';
import { expect, test } from '../story';

const RESULT = /test result: (\w+)\. (\d+) passed; (\d+) failed/;

test('the storage of this browser keeps the contract', async ({ harbour, phone, engineName }, info) => {
  const [runner, ...programs] = process.env.MOORING_CONTRACT?.split(':') ?? [];
  expect(programs, 'no tests were compiled: run `cargo xtask test --only engines`').not.toEqual([]);
  for (const program of programs) {
    const served = await serve(runner ?? '', program);
    try {
      await phone.openElsewhere(served.address);
      await phone.see('test result:');
      const text = await phone.text();
      const [, verdict, passed, failed] = RESULT.exec(text) ?? [];
      info.annotations.push({ type: 'contract', description: `${passed} passed in ${engineName}` });
      expect({ verdict, failed }, text).toEqual({ verdict: 'ok', failed: '0' });
      expect(Number(passed), 'none of the tests ran').toBeGreaterThan(0);
    } finally {
      await served.child.end();
    }
  }
  // What the tests break on purpose is theirs; the watch judges screens of Mooring.
  harbour.watch.startOver();
});

async function serve(runner: string, program: string): Promise<{ child: Child; address: string }> {
  const settings = { NO_HEADLESS: '1', WASM_BINDGEN_TEST_ADDRESS: '127.0.0.1:0' };
  const child = Child.start(runner, [program], settings, ['ignore', 'pipe', 'inherit']);
  const output = child.process.stdout;
  for await (const line of output ? createInterface(output) : []) {
    const address = /available at (http:\S+)/.exec(line)?.[1];
    if (address) {
      output?.resume();
      return { child, address };
    }
  }
  throw new Error(`${program} was not served`);
}
