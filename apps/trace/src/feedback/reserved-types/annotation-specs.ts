import { ValueRepository } from '@hone/calls';
import { type Issue, type ObjectRef, parseRef, parseVersionSelector, valueIssue } from '@hone/contracts';
import { ObjectRepository } from '@hone/objects';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { annotationIssues, type CompiledSpec, compileSpec, TASK } from './annotation-check.task.js';

const SPEC_CLASS = 'AnnotationSpec';
const CACHE_ENTRIES = 500;
/** Longer values are checked in another thread, which compiles the spec anew. */
const HEAVY_CHARACTERS = 262_144;

/** Checks annotation values against the JSON Schema of the spec that they answer to. */
@Injectable()
export class AnnotationSpecs {
  /** A version never changes, so neither does what its digest compiles to. */
  private readonly compiled = new LRUCache<string, CompiledSpec>({ max: CACHE_ENTRIES });

  constructor(
    private readonly objects: ObjectRepository,
    private readonly values: ValueRepository,
    private readonly threads: BodyThreads,
  ) {}

  async issues(annotationRef: string, valueText: string, projectRowId: string | null): Promise<Issue[]> {
    const { name, digest } = parseRef(annotationRef) as ObjectRef;
    const version = projectRowId && (await this.objects.findVersion(projectRowId, name, parseVersionSelector(digest)));
    if (!version || version.deletedAt || version.baseObjectClass !== SPEC_CLASS) {
      return [valueIssue('There is no annotation spec with this ref', ['annotation_ref'])];
    }
    const specText = async () => (await this.values.get(projectRowId, version.val)) as string;
    if (valueText.length > HEAVY_CHARACTERS)
      return this.threads.run(TASK, { spec: await specText(), value: valueText });
    const key = `${projectRowId} ${name} ${version.digest}`;
    const compiled = this.compiled.get(key) ?? compileSpec(await specText());
    this.compiled.set(key, compiled);
    return annotationIssues(compiled, valueText);
  }
}
