import { type Issue, issue, tooFewIssue, valueIssue } from '../issues/issue.js';
import {
  type CheckDto,
  type HttpScorerDto,
  type JudgeDto,
  type JudgeMessageDto,
  type PairwiseDto,
  SCORER_KINDS,
  type ScorerCheck,
  type ScorerDefinitionDto,
  type ScorerKind,
} from './scorer-definition.dto.js';

type Field = Exclude<keyof CheckDto, 'check' | 'of'>;

/** Fields that a check needs, one of each list, and those that it may have besides. */
const CHECK_FIELDS: Record<ScorerCheck, { needs: readonly (readonly Field[])[]; may?: readonly Field[] }> = {
  exact: { needs: [['value', 'reference']], may: ['ignore_case'] },
  contains: { needs: [['value', 'reference']], may: ['ignore_case'] },
  regex: { needs: [['pattern']] },
  json_schema: { needs: [['schema']] },
  json_equal: { needs: [['value', 'reference']] },
  numeric: { needs: [['value', 'reference']], may: ['abs', 'rel'] },
  edit_distance: { needs: [['value', 'reference'], ['max']], may: ['ignore_case'] },
  latency: { needs: [['max']] },
  cost: { needs: [['max']] },
  tool_called: { needs: [['tool']] },
  language: { needs: [['language']] },
  expression: { needs: [['query']] },
};
const VARIABLE = /\{\{([^{}]*)\}\}/g;
const MAX_VARIABLES = 100;
/** Members of a verdict beside its ratings and tags, and what is no name of a member. */
const RESERVED: readonly string[] = ['reason', 'tags', 'spread', '__proto__'];
const KNOWN_VARIABLE = /^(?:output|messages|reference|inputs(?:\.[^{}]+)?)$/;
const COMPARED = ['first', 'second'] as const;
const KNOWN_COMPARED = /^(?:first|second|messages|inputs(?:\.[^{}]+)?)$/;

/** What a comparison of two answers finds: a rating from 0 to 1, and a tag. */
export const PAIRWISE_WIN = 'win';
export const PAIRWISE_FLIPPED = 'flipped';

/** The model that judges. Null: none does. */
export const judgeModelOf = ({ llm, pairwise }: ScorerDefinitionDto): string | null =>
  llm?.model ?? pairwise?.model ?? null;

/** Everything wrong with a definition beyond what its fields say one by one; `loc` is relative to it. */
export function definitionIssues(definition: ScorerDefinitionDto): Issue[] {
  const { kind, check, llm, http, pairwise } = definition;
  if ((definition[kind] ?? null) === null) return [issue('missing', [kind])];
  const other = SCORER_KINDS.find((one) => one !== kind && (definition[one] ?? null) !== null);
  if (other) return [valueIssue(`Should be absent in a scorer of the kind '${kind}'`, [other])];
  if (kind === 'check') return checkIssues(check as CheckDto);
  if (kind === 'pairwise') return pairwiseIssues(pairwise as PairwiseDto);
  return kind === 'llm' ? judgeIssues(llm as JudgeDto) : serverIssues(http as HttpScorerDto);
}

function serverIssues({ url, ratings, tags }: HttpScorerDto): Issue[] {
  const names = [...(ratings ?? []).map(({ name }) => name), ...(tags ?? [])];
  const issues = nameIssues(names, 'http', 'The server');
  if (!/^https?:\/\/[^/?#\s]+/i.test(url) || !URL.canParse(url))
    issues.push(valueIssue('Should be an address that begins with http:// or https://', ['http', 'url']));
  for (const [at, { min, max }] of (ratings ?? []).entries()) {
    const isHalf = (min ?? null) === null ? (max ?? null) !== null : (max ?? null) === null;
    if (isHalf || (min ?? -Infinity) >= (max ?? Infinity))
      issues.push(valueIssue('Should be above min, and absent without it', ['http', 'ratings', at, 'max']));
  }
  return issues;
}

/** What is wrong with the names of what is found, which are keys of feedback. */
function nameIssues(names: readonly string[], kind: ScorerKind, who: string): Issue[] {
  const loc = [kind, 'ratings'];
  const issues: Issue[] = [];
  if (names.length === 0) issues.push(valueIssue(`${who} should find at least one rating or tag`, loc));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) issues.push(valueIssue(`Two ratings or tags are called '${twice}'`, loc));
  const reserved = names.find((name) => RESERVED.includes(name));
  if (reserved !== undefined) issues.push(valueIssue(`No rating or tag can be called '${reserved}'`, loc));
  return issues;
}

function checkIssues(check: CheckDto): Issue[] {
  const { needs, may = [] } = CHECK_FIELDS[check.check];
  const issues: Issue[] = [];
  for (const group of needs) {
    const given = group.filter((field) => (check[field] ?? null) !== null);
    if (given.length === 0) issues.push(issue('missing', ['check', group[0] as string]));
    if (given.length > 1) issues.push(valueIssue(`Should be absent beside ${group[0]}`, ['check', given[1] as string]));
  }
  const known = new Set<string>(['check', 'of', ...needs.flat(), ...may]);
  for (const [field, value] of Object.entries(check))
    if ((value ?? null) !== null && !known.has(field))
      issues.push(valueIssue(`Should be absent in the check '${check.check}'`, ['check', field]));
  return issues;
}

function judgeIssues({ ratings, tags, messages, reference }: JudgeDto): Issue[] {
  const names = [...(ratings ?? []), ...(tags ?? [])].map(({ name }) => name);
  const issues = nameIssues(names, 'llm', 'The judge');
  if (messages.length === 0) issues.unshift({ ...tooFewIssue(1), loc: ['llm', 'messages'] });
  for (const [at, { min, max, steps }] of (ratings ?? []).entries()) {
    if (min >= max) issues.push(valueIssue('Should be above min', ['llm', 'ratings', at, 'max']));
    const beyond = Object.keys(steps ?? {}).find((step) => !isStep(step, min, max));
    if (beyond !== undefined)
      issues.push(valueIssue(`'${beyond.slice(0, 64)}' is no step of the scale`, ['llm', 'ratings', at, 'steps']));
  }
  issues.push(...variableIssues(messages, 'llm', KNOWN_VARIABLE));
  if ((reference ?? null) !== null) return issues;
  for (const [at, { content }] of messages.entries())
    if (variablesOf(content).includes('reference'))
      issues.push(
        valueIssue('{{reference}} needs the path of the expected answer in reference', [
          'llm',
          'messages',
          at,
          'content',
        ]),
      );
  return issues;
}

function pairwiseIssues({ messages }: PairwiseDto): Issue[] {
  if (messages.length === 0) return [{ ...tooFewIssue(1), loc: ['pairwise', 'messages'] }];
  const issues = variableIssues(messages, 'pairwise', KNOWN_COMPARED);
  const used = messages.flatMap(({ content }) => variablesOf(content));
  const missing = COMPARED.find((name) => !used.includes(name));
  if (missing) issues.push(valueIssue(`Should have {{${missing}}} in one of them`, ['pairwise', 'messages']));
  return issues;
}

function variableIssues(messages: readonly JudgeMessageDto[], kind: ScorerKind, known: RegExp): Issue[] {
  return messages.flatMap(({ content }, at) => {
    const loc = [kind, 'messages', at, 'content'];
    const variables = [...new Set(variablesOf(content))];
    if (variables.length > MAX_VARIABLES)
      return [valueIssue(`Should have at most ${MAX_VARIABLES} different variables`, loc)];
    return variables
      .filter((variable) => !known.test(variable))
      .map((variable) => valueIssue(`There is no variable '${variable.slice(0, 64)}'`, loc));
  });
}

const isStep = (text: string, min: number, max: number): boolean =>
  /^-?\d{1,3}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** Names of the variables of a template, without the blanks around them. */
export const variablesOf = (template: string): string[] =>
  [...template.matchAll(VARIABLE)].map(([, name]) => (name as string).trim());

/** The template with its variables replaced. */
export const fillTemplate = (template: string, valueOf: (variable: string) => string): string =>
  template.replaceAll(VARIABLE, (_all, name: string) => valueOf(name.trim()));
