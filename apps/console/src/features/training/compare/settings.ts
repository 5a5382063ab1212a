import { isJsonObject, stringifyJson } from '@hone/client';

/** One setting of several jobs. */
export interface ComparedSetting {
  /** Path into the configuration, such as `lora.rank`. */
  readonly name: string;
  /** In the order of the jobs, as JSON; null: the job has no such setting. */
  readonly values: readonly (string | null)[];
}

type Json = Readonly<Record<string, unknown>>;

/** The settings that are not the same in all of the jobs, by name. */
export function differingSettings(configurations: readonly Json[]): readonly ComparedSetting[] {
  const flat = configurations.map((configuration) => new Map(leavesOf(configuration, '')));
  const names = [...new Set(flat.flatMap((leaves) => [...leaves.keys()]))].sort();
  return names
    .map((name) => ({ name, values: flat.map((leaves) => leaves.get(name) ?? null) }))
    .filter(({ values }) => new Set(values).size > 1);
}

function leavesOf(value: Json, path: string): (readonly [name: string, text: string])[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const name = path === '' ? key : `${path}.${key}`;
    return isJsonObject(member) ? leavesOf(member, name) : [[name, stringifyJson(member ?? null)] as const];
  });
}
