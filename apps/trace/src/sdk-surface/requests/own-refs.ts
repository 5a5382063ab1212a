import type { JsonValue } from '@hone/contracts';
import { isJsonObject, parseProjectId, setKey } from '@hone/contracts';
import { DomainError } from '@hone/platform';

import { INTERNAL_REF, SDK_REF } from '../names.js';

/** An internal ref names no project, or one that the caller may not read. */
export class InternalRefError extends DomainError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'ref.project_unreadable';
  constructor(id: string) {
    super(`The internal ref names the project '${id.slice(0, 300)}', which you cannot read.`);
  }
}

/** Writes the refs of the SDKs as our own. */
export class OwnRefs {
  private readonly prefix: string;

  /** @param mayRead whether the caller may read a project `<entity>/<project>` */
  constructor(
    refScheme: string,
    private readonly mayRead: (projectId: string) => boolean,
  ) {
    this.prefix = `${refScheme}:///`;
  }

  /** @throws InternalRefError */
  text(text: string): string {
    if (text.startsWith(SDK_REF)) return this.prefix + text.slice(SDK_REF.length);
    if (!text.startsWith(INTERNAL_REF)) return text;
    const rest = text.slice(INTERNAL_REF.length);
    const slash = rest.indexOf('/');
    const id = slash < 0 ? rest : rest.slice(0, slash);
    const projectId = decodeProject(id);
    if (projectId === undefined || !this.mayRead(projectId)) throw new InternalRefError(id);
    return `${this.prefix}${projectId}${slash < 0 ? '' : rest.slice(slash)}`;
  }

  /**
   * The refs among all string values of a free value; its keys are left alone.
   *
   * @param value changed in place
   * @throws InternalRefError
   */
  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.value(value[index] as JsonValue);
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) setKey(value, key, this.value(value[key] as JsonValue));
    }
    return value;
  }
}

/** The project that an internal id encodes; undefined: none. */
export function decodeProject(id: string): string | undefined {
  const projectId = Buffer.from(id, 'base64url').toString('utf8');
  return parseProjectId(projectId) && Buffer.from(projectId).toString('base64url') === id ? projectId : undefined;
}
