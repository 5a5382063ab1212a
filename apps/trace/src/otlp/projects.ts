import { parseProjectId } from '@hone/contracts';

import type { Attributes } from './otlp-values.js';

/** Attributes of a resource that name the project, in one or in two parts. */
const WHOLE_NAME = 'hone.project';
const SPLIT_NAMES = [
  ['hone.entity', 'hone.project'],
  ['wandb.entity', 'wandb.project'],
] as const;

/** The project that a resource's spans and logs go to, or why they go nowhere. */
export type Project = { id: string; problem: null } | { id: string; problem: string };

/** @param defaultProject of resources that name none */
export function projectOf(resource: Attributes, defaultProject: string): Project {
  const whole = resource.get(WHOLE_NAME);
  const named =
    typeof whole === 'string' && whole.includes('/')
      ? whole
      : SPLIT_NAMES.map((names) => names.map((name) => resource.get(name)))
          .find((parts) => parts.every((part) => typeof part === 'string' && part !== ''))
          ?.join('/');
  const id = named ?? defaultProject;
  if (!parseProjectId(id)) return { id, problem: `'${id.slice(0, 300)}' is no project of the form entity/project` };
  return { id, problem: null };
}
