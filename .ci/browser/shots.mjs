/**
 * `npm run console:shots -- <folder> [part of a name]`: a picture of every view of the console, light and dark, wide and
 * narrow, full, empty and in error, with data of a Hone of its own. For people to look at: nothing is compared.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Hone } from '@hone/client';
import { chromium } from 'playwright-core';
import { runnerImport } from 'vite';

import { ConsoleHone } from './console-hone.mjs';
import { findChromium } from './find-chromium.mjs';

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } };
/** The data of the browser specs, in TypeScript. */
const SEEDS = join(import.meta.dirname, '../../apps/console/src/testing/seeds/showcase.fixture.ts');
const SETTLED_MS = 1_200;

const [folder, part = ''] = process.argv.slice(2);
const chromiumPath = findChromium();
if (folder === undefined || chromiumPath === null) {
  console.error(
    folder === undefined ? 'Usage: npm run console:shots -- <folder> [part of a name]' : 'Chromium is not there.',
  );
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const running = await ConsoleHone.start();
// Its launcher may stand still by then, and would not hear of it.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void running.remove().finally(() => process.exit(1)));
try {
  const hone = new Hone({ baseUrl: running.url, apiKey: running.key });
  const { module } = await runnerImport(SEEDS, { root: join(import.meta.dirname, '../..') });
  const seeded = await module.seedShowcase(hone, running.upstreamsFile);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  await shootAll(browser, hone, viewsOf(seeded));
  await seeded.gateway.stop();
  await shootAll(browser, hone, { 'gateway-empty': 'default/gateway' });
  await running.stopServices('trace', 'training', 'inference-gateway', 'evaluation');
  await shootAll(browser, hone, viewsInError(seeded), untilError);
  await browser.close();
} finally {
  await running.remove();
}

/**
 * The views whose names have the part that was asked for, in each size and theme; before them the page to sign in. A view is
 * an address, or that and the names of buttons and boxes that lead on from it.
 */
async function shootAll(browser, hone, views, settled = async () => {}) {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark']) {
      const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
      await page.goto(`${running.url}/console/`);
      await shoot(page, `sign-in-${size}-${colorScheme}`);
      const { path } = await hone.accounts.createSignInCode();
      await page.goto(running.url + path);
      await page.waitForURL(/\/console\/p\//);
      for (const [name, view] of Object.entries(views).filter(([one]) => one.includes(part))) {
        const [address, ...buttons] = [view].flat();
        await page.goto(`${running.url}/console/p/local/${address}`);
        for (const button of buttons) await controlOf(page, button).click();
        await settled(page);
        await shoot(page, `${name}-${size}-${colorScheme}`);
      }
      await page.context().close();
    }
}

function controlOf(page, name) {
  return page.getByRole('button', { name, exact: true }).or(page.getByRole('checkbox', { name, exact: true }));
}

/** What fails is tried again before the page says so. */
async function untilError(page) {
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry
    .first()
    .waitFor()
    .catch(() => undefined);
}

async function shoot(page, name) {
  // A busy machine takes longer to read what is shown, and what was read may ask for more.
  const loading = page.getByRole('status').filter({ hasText: /^Loading / });
  do {
    await sleep(SETTLED_MS);
    await loading.first().waitFor({ state: 'detached' });
  } while ((await loading.count()) > 0);
  const file = join(resolve(folder), `${name}.png`);
  await page.screenshot({ path: file });
  console.log(file);
}

function viewsOf({
  root,
  chat,
  dashboards,
  model,
  job,
  faster,
  rewarded,
  queue,
  dataset,
  prompt,
  parrot,
  runs,
  judged,
  gates,
  pairs,
  failed,
  ordered,
  check,
  judge,
  spec,
  bias,
  thread,
  target,
  improvement,
}) {
  const compared = runs.join(',');
  return {
    home: 'default',
    'home-empty': 'empty',
    'home-month': 'month?span=last-month',
    dashboards: 'month/dashboards',
    'dashboards-empty': 'empty/dashboards',
    dashboard: `month/dashboards/${dashboards.full}`,
    'dashboard-hostile': `month/dashboards/${dashboards.hostile}`,
    'dashboard-missing': 'month/dashboards/nothing',
    'dashboard-chart': [`month/dashboards/${dashboards.full}`, 'Edit', 'Add a chart'],
    calls: 'default/calls?depth=all',
    'calls-peek': `default/calls?call=${chat}`,
    'calls-query':
      'default/calls?depth=all&q=status+in+(error,success)&columns=status,name,inputs.question,latency_ms&sort=-latency_ms',
    'calls-query-fault': 'default/calls?q=op_name+contians+%22chat%22',
    'calls-facets': 'default/calls?depth=all&facets=on',
    'calls-empty': 'empty/calls',
    'calls-none-match': 'default/calls?op=nothing',
    'calls-agents': 'agents/calls?range=7d&by=attributes.plan',
    'calls-agents-trace': 'agents/calls?q=trace+has+(op_name+%3D+lookup_order+and+status+%3D+error)',
    'calls-agents-within': 'agents/calls?q=op_name+%3D+lookup_order',
    trace: `default/calls/${root}`,
    'trace-conversation': `default/calls/${chat}?view=conversation`,
    'call-judged': 'default/calls/reply-0',
    'call-missing': 'default/calls/nothing',
    threads: 'default/threads',
    'threads-empty': 'empty/threads',
    thread: `default/threads/${thread}`,
    feedback: 'default/feedback',
    'feedback-empty': 'empty/feedback',
    annotation: 'default/annotation',
    'annotation-new': 'default/annotation?new=1',
    'annotation-empty': 'empty/annotation',
    queue: `default/annotation/${queue}`,
    'queue-missing': 'default/annotation/nothing',
    work: `default/annotation/${queue}/work`,
    datasets: 'default/datasets',
    'datasets-empty': 'empty/datasets',
    dataset: `default/datasets/${dataset}`,
    'dataset-row': `default/datasets/${dataset}?row=1`,
    prompts: 'default/prompts',
    'prompts-empty': 'empty/prompts',
    prompt: `default/prompts/${parrot}`,
    'prompt-changes': `default/prompts/${parrot}?with=v0`,
    objects: 'default/objects',
    'objects-empty': 'empty/objects',
    object: `default/objects/${prompt.object}`,
    'object-compare': `default/objects/${prompt.object}?with=${prompt.older}`,
    scorers: 'default/scorers',
    'scorers-empty': 'empty/scorers',
    'scorers-new': ['default/scorers', 'New scorer'],
    scorer: `default/scorers/${check}?labels=hone.annotation.${spec}&bias=${bias}`,
    'scorer-labels': [`default/scorers/${check}?labels=hone.annotation.${spec}`, 'Have people label calls'],
    'scorer-bias': [`default/scorers/${check}`, 'Look for bias'],
    'evaluation-labels': [`default/evaluations/compare?runs=${judged.join(',')}`, 'Have people label it'],
    'scorer-judge': `default/scorers/${judge}`,
    'scorer-edit': [`default/scorers/${judge}`, 'Edit'],
    'scorer-judge-new-calls': [`default/scorers/${judge}`, 'Judge new calls'],
    evaluations: 'default/evaluations',
    'evaluations-new': ['default/evaluations', 'Run an evaluation'],
    'evaluations-new-baseline': [
      'default/evaluations?dataset=repeated',
      'Run an evaluation',
      'better answer Judge hone-tiny: which answer is better',
    ],
    'evaluations-empty': 'empty/evaluations',
    'evaluation-compare-empty': 'default/evaluations/compare',
    leaderboard: 'default/evaluations?view=leaderboard&metric=exact.correct',
    'evaluation-compare-slices': `default/evaluations/compare?runs=${judged.join(',')}&slices=topic&margins=${encodeURIComponent('{"length":20}')}`,
    'evaluation-win-rates': `default/evaluations/compare?runs=${pairs.join(',')}`,
    'evaluation-run-failed': `default/evaluations/compare?runs=${failed}`,
    'scorer-pairwise': [`default/scorers/${ordered}`, 'Look for bias', 'Start'],
    'evaluation-run': `default/evaluations/compare?runs=${judged[1]}`,
    'evaluation-compare': `default/evaluations/compare?runs=${compared}&differ=1`,
    gates: 'default/gates',
    'gates-empty': 'empty/gates',
    gate: `default/gates/${gates[0]}`,
    'gate-uncorrected': `default/gates/${gates[1]}`,
    'evaluation-decide': [`default/evaluations/compare?runs=${judged.join(',')}`, 'Decide'],
    training: 'default/training',
    'training-empty': 'empty/training',
    'training-compare-empty': 'default/training/compare',
    job: `default/training/jobs/${job}`,
    'training-compare': `default/training/compare?jobs=${job},${faster},${rewarded}`,
    rollouts: `default/training/jobs/${rewarded}?bar=1&rollout=0.0`,
    'new-job': 'default/training/new',
    'new-job-empty': 'empty/training/new',
    model: `default/training/models/${model}`,
    improvements: 'improved/improvements',
    'improvements-empty': 'empty/improvements',
    'improvements-new': ['improved/improvements', 'Improve a model'],
    improvement: `improved/improvements/${improvement}`,
    playground: 'default/playground',
    'playground-compare': 'default/playground?beside=hone-tiny',
    usage: 'default/usage?by=model',
    'usage-users': 'default/usage?by=user',
    'usage-two': 'default/usage?by=day&and=model',
    'usage-empty': 'empty/usage',
    gateway: 'default/gateway',
    'gateway-target': `default/gateway?target=${encodeURIComponent(target)}`,
    settings: 'default/settings',
    'settings-members': 'default/settings?section=members',
    'settings-kept': 'default/settings?section=kept',
    'settings-search': 'default/settings?section=search',
    'settings-audit': 'default/settings?section=audit',
    'no-such-page': 'default/nothing',
  };
}

/** What is seen of each view while only accounts answers. */
function viewsInError({ root, job, model, queue, dataset, prompt, parrot, runs, check, thread, gates, improvement }) {
  const views = {
    home: '',
    dashboards: 'dashboards',
    calls: 'calls',
    trace: `calls/${root}`,
    threads: 'threads',
    thread: `threads/${thread}`,
    feedback: 'feedback',
    annotation: 'annotation',
    queue: `annotation/${queue}`,
    work: `annotation/${queue}/work`,
    datasets: 'datasets',
    dataset: `datasets/${dataset}`,
    prompts: 'prompts',
    prompt: `prompts/${parrot}`,
    objects: 'objects',
    object: `objects/${prompt.object}`,
    scorers: 'scorers',
    scorer: `scorers/${check}`,
    evaluations: 'evaluations',
    'evaluation-compare': `evaluations/compare?runs=${runs.join(',')}`,
    gates: 'gates',
    gate: `gates/${gates[0]}`,
    training: 'training',
    job: `training/jobs/${job}`,
    'new-job': 'training/new',
    model: `training/models/${model}`,
    improvements: 'improvements',
    improvement: `improvements/${improvement}`,
    playground: 'playground',
    usage: 'usage',
    gateway: 'gateway',
    'settings-kept': 'settings?section=kept',
    'settings-search': 'settings?section=search',
  };
  return Object.fromEntries(Object.entries(views).map(([name, path]) => [`${name}-error`, `default/${path}`]));
}
