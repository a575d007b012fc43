// Drives an MCP server with the official SDK, and says in JSON what came of it.
//
//   node client.mjs stdio PROGRAM ARGUMENT…
//   node client.mjs http URL

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [way, target, ...rest] = process.argv.slice(2);

function transport() {
  return way === 'stdio'
    ? new StdioClientTransport({ command: target, args: rest, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(target));
}

/** What a call brings, or how it is refused. */
async function outcome(call) {
  try {
    const { structuredContent, content, isError } = await call();
    return { structured: structuredContent, text: content?.[0]?.text, isError: isError === true };
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

/** What a server answers to a client of an age that it does not know. */
async function strangeVersion() {
  const raw = transport();
  const answered = new Promise((resolve, reject) => {
    raw.onmessage = resolve;
    raw.onerror = reject;
    raw.onclose = () => reject(new Error('closed'));
  });
  await raw.start();
  const params = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'an-old-client', version: '0' } };
  await raw.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const answer = await answered;
  raw.onclose = undefined;
  await raw.close();
  return { version: answer.result?.protocolVersion, error: answer.error };
}

const client = new Client({ name: 'mooring-tests', version: '0' });
await client.connect(transport());
// The SDK checks structured content against the schema of each tool that it has listed.
const { tools } = await client.listTools();
const get = (args) => outcome(() => client.callTool({ name: 'get_record', arguments: args }));
const report = {
  server: client.getServerVersion().name,
  tools: tools.map(({ name, annotations, inputSchema, outputSchema }) => ({
    name,
    readOnly: annotations?.readOnlyHint,
    takes: Object.keys(inputSchema.properties ?? {}),
    gives: Object.keys(outputSchema?.properties ?? {}),
  })),
  list: await outcome(() => client.callTool({ name: 'list_records', arguments: {} })),
  record: await get({ record_id: 'wheel-throwing' }),
  withdrawn: await get({ record_id: 'glass-fusing' }),
  unknown: await get({ record_id: 'no-such-record' }),
  misnamed: await get({ id: 'wheel-throwing' }),
  noTool: await outcome(() => client.callTool({ name: 'drop_record', arguments: {} })),
  pinged: await client.ping(),
  strange: await strangeVersion(),
};
await client.close();
console.log(JSON.stringify(report));
