import { type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { RefreshingCache } from '@hone/database';
import { type ObjectVersion, ObjectVersionsRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { PromptNotFoundError } from '../../shared/errors/prompts.errors.js';
import type { FilledPrompt } from './filled-prompt.js';
import { pickVersion } from './pick-version.js';
import { type PromptReference, readPromptReference } from './prompt-reference.js';
import { PromptTemplate } from './prompt-template.js';

/** A label that moves is seen within this time. */
const FRESH_MS = 1_000;
/** Prompts in use are looked up before they are too old, so that no request waits for it. */
const REFRESH_MS = 500;
const RETRY_MS = 1_000;
const MAX_VERSIONS = 10_000;
/** Largest value of a prompt object, as JSON. */
const MAX_PROMPT_BYTES = 1_048_576;
const MAX_TEMPLATE_BYTES = 64 * 1_048_576;

/** Who asks, where, and what is too much. */
export interface PromptAsker {
  readonly caller: Principal;
  /** Of the request. */
  readonly project: ProjectGrant;
  /** Most bytes of the filled messages. */
  readonly maxBytes: number;
  /** The conversation that the request belongs to, as its call has it; null: none. */
  thread(): string | null;
}

/** Fills prompt objects of the trace service. What a name means is looked up every second, and held while that fails. */
@Injectable()
export class Prompts {
  private readonly versions = new RefreshingCache<readonly ObjectVersion[]>({
    max: MAX_VERSIONS,
    freshMs: FRESH_MS,
    refreshMs: REFRESH_MS,
    staleMs: Infinity,
    retryMs: RETRY_MS,
  });

  /** By content, which never changes. */
  private readonly templates = new LRUCache<string, PromptTemplate>({
    maxSize: MAX_TEMPLATE_BYTES,
    sizeCalculation: ({ size }) => size,
  });

  constructor(
    private readonly repository: ObjectVersionsRepository,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * @param fields of the body
   * @returns null: they name no prompt
   * @throws InvalidRequestError, PromptNotFoundError, BodyOverLimitError
   */
  fill(asker: PromptAsker, { prompt }: Readonly<Record<string, unknown>>): FilledPrompt | null | Promise<FilledPrompt> {
    return (prompt ?? null) === null ? null : this.filled(asker, readPromptReference(prompt));
  }

  private async filled(asker: PromptAsker, named: PromptReference): Promise<FilledPrompt> {
    const { id, version, variables, selector } = named;
    const rowId = await this.projectOf(asker, named);
    const found = rowId === null ? null : await this.find(rowId, named, asker);
    if (found === null) throw new PromptNotFoundError(id, version);
    const { template } = found;
    const json = template.fill(variables, asker.maxBytes);
    return {
      messages: JSON.parse(json) as Record<string, unknown>[],
      json,
      model: template.model,
      use: {
        id,
        version: `v${found.versionIndex}`,
        digest: found.digest,
        ...(selector.by === 'alias' && { label: selector.alias }),
        variables: Object.fromEntries(variables),
      },
    };
  }

  /** Row id of the prompt's project; null: it is none that the caller may read. */
  private projectOf(
    { caller, project }: PromptAsker,
    { projectId }: PromptReference,
  ): string | null | Promise<string | null> {
    if (projectId === null || projectId === project.projectId) return project.rowId;
    return this.access.findIfReadable(caller, 'inference', projectId);
  }

  private async find(
    rowId: string,
    { objectId, selector }: PromptReference,
    asker: PromptAsker,
  ): Promise<(ObjectVersion & { readonly template: PromptTemplate }) | null> {
    const key = [rowId, objectId, ...Object.values(selector)].join('\n');
    const versions = await this.versions.get(key, () => this.repository.find(rowId, objectId, selector));
    const version = versions && pickVersion(versions, asker.thread());
    if (!version || version.sizeBytes > MAX_PROMPT_BYTES) return null;
    const template = await this.templateOf(rowId, objectId, version.digest);
    return template && { ...version, template };
  }

  private async templateOf(rowId: string, objectId: string, digest: string): Promise<PromptTemplate | null> {
    const key = [rowId, objectId, digest].join('\n');
    const known = this.templates.get(key);
    if (known !== undefined) return known;
    const json = await this.repository.read(rowId, objectId, digest);
    const template = json === null ? null : PromptTemplate.read(json);
    if (template !== null) this.templates.set(key, template);
    return template;
  }
}
