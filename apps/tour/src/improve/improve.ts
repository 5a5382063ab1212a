import type { Hone, ImproveDto } from '@hone/client';

import type { ImproveArguments } from './arguments.js';
import { chooseScorers, listScorers } from './choose-scorers.js';
import { findModel } from './find-model.js';
import { follow } from './follow.js';
import { exitCodeOf, proposal, results } from './words.js';

const PRODUCTION = 'production';

/**
 * Makes a model better by its judged calls, and shows what comes of it.
 *
 * @param baseUrl of this Hone, for the link to its console
 * @returns 0: promoted, or a dry run; 3: the current checkpoint stays; 1: it did not come to a decision
 * @throws HoneError, WhichScorerError
 */
export async function improve(
  hone: Hone,
  baseUrl: string,
  args: ImproveArguments,
  show: (text: string) => void,
): Promise<number> {
  const { body, inferenceName } = await toRequest(hone, args, show);
  const proposed = await hone.evaluation.improveModel({ ...body, dry_run: true });
  show(`\nWhat the calls allow:\n${proposal(proposed)}`);
  if (args.isDry) return exitCodeOf(proposed);
  if (proposed.candidates.every(({ state }) => state !== 'possible')) {
    show('Nothing was started.');
    return exitCodeOf({ status: 'no_data' });
  }
  const started = await hone.evaluation.improveModel(body);
  show(`\n${baseUrl}/console/p/${body.project_id}/improvements/${started.id} goes on if this command ends.`);
  const ended = await follow(hone, started, show);
  show(`\n${results(ended)}\n\n${ended.sentence}`);
  const promoted = ended.candidates.find(({ state }) => state === 'promoted');
  // An edited prompt is another version of it; the model stays.
  if (promoted && promoted.method !== 'prompt') show(`Ask for it as ${inferenceName}:${body.alias ?? PRODUCTION}`);
  return exitCodeOf(ended);
}

async function toRequest(
  hone: Hone,
  { model: wanted, project, scorers: named, asked, evaluate }: ImproveArguments,
  show: (text: string) => void,
): Promise<{ body: ImproveDto; inferenceName: string }> {
  const place = project ?? (await defaultProject(hone));
  const { model, isByBase } = await findModel(hone, wanted, place);
  // An id names a model of any project.
  const project_id = project ?? `${model.entity}/${model.project}`;
  const scorers = chooseScorers(named, named.length > 0 ? [] : await listScorers(hone, project_id), project_id);
  const on = isByBase ? `${wanted} is a base model: what learns is ` : 'What learns: ';
  show(`${on}${model.inference_name}\nWho judges: ${scorers.join(', ')}`);
  const body = { ...asked, project_id, model_id: model.id, evaluate: { ...evaluate, scorers } };
  return { body, inferenceName: model.inference_name };
}

/** Where chats of the key go that name no project. */
async function defaultProject(hone: Hone): Promise<string> {
  const { api_key } = await hone.accounts.getMe();
  return api_key.project ?? api_key.default_project;
}
