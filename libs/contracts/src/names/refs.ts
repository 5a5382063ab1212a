import { refPattern } from '../patterns/patterns.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { textRule } from '../validation/rules.js';
import { isCallId, isObjectId } from './names.js';
import { parseProjectId } from './project-id.js';

export type RefKind = 'object' | 'op' | 'call';

/** A stored object or op at one version. */
export interface ObjectRef {
  kind: 'object' | 'op';
  scheme: string;
  /** `<entity>/<project>`. */
  projectId: string;
  /** Decoded name. */
  name: string;
  /** A version selector: content digest, `v<N>`, `latest` or an alias. */
  digest: string;
}

/** One traced execution. */
export interface CallRef {
  kind: 'call';
  scheme: string;
  projectId: string;
  callId: string;
}

export type Ref = ObjectRef | CallRef;

const REF =
  /^([a-z][a-z0-9+.-]*):\/\/\/([^/]+\/[^/]+)\/(object|op|call)\/([^/]+)((?:\/(?:attr|key|index|id)\/[^/]*)*)$/s;
const SELECTOR = /^[^/:]{1,128}$/u;
const SHAPES: Record<RefKind, string> = {
  object: '<scheme>:///<entity>/<project>/object/<name>:<digest>',
  op: '<scheme>:///<entity>/<project>/op/<name>:<digest>',
  call: '<scheme>:///<entity>/<project>/call/<call_id>',
};

const EXAMPLES: Record<RefKind, string> = {
  object: 'hone:///acme/demo/object/config:v0',
  op: 'hone:///acme/demo/op/predict:latest',
  call: 'hone:///acme/demo/call/c1',
};

/** Reads a ref of any scheme and kind; undefined when it is none. */
export function parseRef(text: string): Ref | undefined {
  const match = REF.exec(text);
  if (!match) return undefined;
  const [, scheme = '', project = '', kind, last = '', pairs = ''] = match;
  const projectId = decode(project);
  if (projectId === undefined || !parseProjectId(projectId)) return undefined;
  if (kind === 'call') {
    return isCallId(last) && pairs === '' ? { kind, scheme, projectId, callId: last } : undefined;
  }
  const colon = last.lastIndexOf(':');
  const name = decode(last.slice(0, colon));
  const digest = last.slice(colon + 1);
  if (colon < 1 || name === undefined || !isObjectId(name) || !SELECTOR.test(digest)) return undefined;
  return { kind: kind as 'object' | 'op', scheme, projectId, name, digest };
}

/** One step into the value of a version. */
export interface RefStep {
  kind: 'attr' | 'key' | 'index' | 'id';
  /** Decoded: a key, the number of an item, or the digest of a row. */
  name: string;
}

const STEP = /\/(attr|key|index|id)\/([^/]*)/g;

/** The steps after the version of a ref that {@link parseRef} reads. */
export function refSteps(text: string): RefStep[] {
  const pairs = REF.exec(text)?.[5] ?? '';
  return Array.from(pairs.matchAll(STEP), ([, kind, name = '']) => ({
    kind: kind as RefStep['kind'],
    name: decode(name) ?? name,
  }));
}

/** A table of a project: `<scheme>:///<entity>/<project>/table/<digest>`. */
export function parseTableRef(text: string): { projectId: string; digest: string } | undefined {
  const match = /^[a-z][a-z0-9+.-]*:\/\/\/([^/]+\/[^/]+)\/table\/([^/:]{1,128})$/.exec(text);
  const projectId = match && decode(match[1] as string);
  return projectId && parseProjectId(projectId) ? { projectId, digest: match[2] as string } : undefined;
}

/** The part of a ref that is stored and compared: all after `<scheme>:///`. */
export const withoutScheme = (ref: string): string => ref.slice(ref.indexOf(':///') + 4);

/** A stored ref with a scheme again; null stays null. */
export const withScheme = <T extends string | null>(stored: T, scheme: string): T =>
  (stored === null ? null : `${scheme}:///${stored}`) as T;

/** A ref with this server's scheme, whatever scheme it came in. */
export const ownRef = (ref: string, scheme: string): string => withScheme(withoutScheme(ref), scheme);

/** Most characters and most UTF-8 bytes of a ref; stored refs are indexed. */
export const MAX_REF_LENGTH = 2_000;

export function refRule(...kinds: RefKind[]): Rule {
  return textRule({
    max: MAX_REF_LENGTH,
    shape: {
      matches: (text) => Buffer.byteLength(text) <= MAX_REF_LENGTH && kinds.includes(parseRef(text)?.kind as RefKind),
      description: kinds.map((kind) => SHAPES[kind]).join("' or '"),
      pattern: refPattern(kinds),
      examples: kinds.map((kind) => EXAMPLES[kind]),
    },
  });
}

/** A ref of one of these kinds, in any scheme. */
export const IsRef = (...kinds: RefKind[]): PropertyDecorator => fromRule(refRule(...kinds));

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
