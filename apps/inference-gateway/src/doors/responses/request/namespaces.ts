import { isJsonObject } from '@hone/json';

type Json = Record<string, unknown>;

/** A tool as a response calls it. */
export interface CalledTool {
  readonly name: string;
  /** Of the tool's group; absent: it is in none. */
  readonly namespace?: string;
}

/** Chat completions have no namespaces: a tool in one goes by both names. */
export const joinedName = (namespace: string, name: string): string => `${namespace}__${name}`;

/**
 * The tools in namespaces of a request, by the names that a chat completion calls them by. Groups that are wrong have none:
 * only an upstream that speaks responses is asked with them.
 */
export function namespacedTools(tools: readonly Json[]): ReadonlyMap<string, CalledTool> {
  const groups = tools.filter(({ type }) => type === 'namespace');
  return new Map(groups.flatMap(({ name: namespace, tools: grouped }) => membersOf(String(namespace), grouped)));
}

function membersOf(namespace: string, grouped: unknown): [string, CalledTool][] {
  if (!Array.isArray(grouped)) return [];
  const names = grouped.filter(isJsonObject).map(({ name }) => String(name));
  return names.map((name) => [joinedName(namespace, name), { name, namespace }]);
}
