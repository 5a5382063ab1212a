/**
 * Coding agents, unmodified, each on one task against a running Hone: Codex CLI and Claude Code, as docs/guides set them up.
 * Their model is a script, which speaks chat completions alone; once more behind an upstream that speaks their own form.
 *
 *   <node> coding-agents.mjs <url> <key> <port of the upstreams>
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, execPath } from 'node:process';
import { promisify } from 'node:util';

import { until } from '../running-hone.mjs';
import { SEARCHER, Upstreams } from './upstreams.mjs';

const [url, key, port] = argv.slice(2);
const MODULES = join(import.meta.dirname, 'node_modules');
const CODEX = [execPath, join(MODULES, '@openai/codex/bin/codex.js')];
const CLAUDE = [join(MODULES, '@anthropic-ai/claude-code-linux-x64/claude')];
const CONTEXT = '131072';
const LIMIT_MS = 60_000;

const upstreams = await Upstreams.start(port, { url, key });
for (const model of ['coder', 'native/coder']) {
  await test((task) => codex(task, { model, webSearch: 'web_search = "disabled"' }));
  await test((task) => claudeCode(task, model, { ENABLE_TOOL_SEARCH: 'false' }));
}
// What Claude Code asks for at first without this setting is refused: it asks again, for less.
await test((task) => claudeCode(task, 'coder', {}));
await searches();
const forms = ['fake/v1/responses', 'native/v1/messages', 'native/v1/responses', 'scripted/v1/chat/completions'];
assert.deepEqual([...upstreams.asked].sort(), forms);
await upstreams.stop();
console.log('tasks');

/** One task: a command is run, its output is told, and Hone has both requests. */
async function test(run) {
  const word = randomUUID();
  await inFolder(async (task) => {
    const prompt = `Run \`echo ${word} | tee made.txt\``;
    assert.equal((await run({ ...task, prompt })).trim(), `The shell said ${word}.`);
    assert.equal((await readFile(join(task.folder, 'made.txt'), 'utf8')).trim(), word);
    await assertRecorded(task.project, word);
  });
}

async function inFolder(work) {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const home = await mkdtemp(join(tmpdir(), 'hone-agent-'));
  const folder = join(home, 'work');
  try {
    await mkdir(folder);
    await post('/account/projects', { entity: 'local', name });
    await work({ home, folder, project: `local/${name}` });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Codex's default, web search, is a tool that OpenAI runs: upstreams that speak responses have it. */
async function searches() {
  await inFolder(async (task) => {
    const said = await codex({ ...task, prompt: 'Hi' }, { model: SEARCHER, webSearch: '' });
    assert.equal(said.trim(), 'w0 w1 w2 w3 w4 w5 w6 w7');
    const { tools } = upstreams.fake.lastJson();
    assert.ok(tools.some(({ type }) => type === 'web_search'));
  });
}

async function codex({ home, folder, project, prompt }, { model, webSearch }) {
  const config = `
    model = "${model}"
    model_provider = "hone"
    model_context_window = ${CONTEXT}
    ${webSearch}
    [model_providers.hone]
    name = "Hone"
    base_url = "${url}/v1"
    env_key = "HONE_API_KEY"
    wire_api = "responses"
    http_headers = { "Hone-Project" = "${project}" }`;
  await mkdir(join(home, '.codex'));
  await writeFile(join(home, '.codex/config.toml'), config);
  const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt];
  return start(CODEX, args, { home, folder, variables: { HONE_API_KEY: key } });
}

function claudeCode({ home, folder, project, prompt }, model, more) {
  const variables = {
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_CUSTOM_HEADERS: `Hone-Project: ${project}` },
    ...{ ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model, CLAUDE_CODE_MAX_CONTEXT_TOKENS: CONTEXT },
    ...{ DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ...more },
  };
  return start(CLAUDE, ['-p', prompt, '--allowedTools', 'Bash'], { home, folder, variables });
}

/** @returns what the program printed */
async function start([program, ...before], args, { home, folder, variables }) {
  const env = { PATH: `${dirname(execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, ...variables };
  const options = { cwd: folder, env, timeout: LIMIT_MS };
  const running = promisify(execFile)(program, [...before, ...args], options);
  running.child.stdin.end();
  return (await running).stdout;
}

async function assertRecorded(project, word) {
  const calls = await until(async () => {
    const lines = (await post('/calls/stream_query', { project_id: project })).trim().split('\n').filter(Boolean);
    return lines.length >= 2 && lines.map((line) => JSON.parse(line));
  });
  calls.sort((a, b) => (a.started_at < b.started_at ? -1 : 1));
  const reasons = calls.map(({ output }) => output.choices[0].finish_reason);
  assert.deepEqual(reasons, ['tool_calls', 'stop']);
  assert.ok(calls[0].output.choices[0].message.tool_calls[0].function.arguments.includes(word));
  assert.equal(calls[1].output.choices[0].message.content, `The shell said ${word}.`);
  const { total } = await until(async () => {
    const got = await fetch(`${url}/v1/usage?project=${project}`, { headers: { authorization: `Bearer ${key}` } });
    const usage = await got.json();
    return usage.total.requests >= 2 && usage;
  });
  assert.deepEqual([total.requests, total.errors, total.prompt_tokens, total.completion_tokens], [2, 0, 18, 6]);
}

async function post(path, body) {
  const headers = {
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const got = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!got.ok) throw new Error(`${path}: ${got.status} ${await got.text()}`);
  return got.text();
}
