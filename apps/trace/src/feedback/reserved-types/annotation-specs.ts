import { ValueRepository } from '@hone/calls';
import {
  isJsonObject,
  type Issue,
  type JsonValue,
  type ObjectRef,
  parseJson,
  parseRef,
  parseVersionSelector,
  toPlainJson,
  valueIssue,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { ObjectRepository } from '../../objects/object.repository.js';
import { compileSchema, SchemaUnusableError, type SchemaValidator } from './schema-validator.js';

const SPEC_CLASS = 'AnnotationSpec';
const CACHE_ENTRIES = 500;

/** Checks annotation values against the JSON Schema of the spec that they answer to. */
@Injectable()
export class AnnotationSpecs {
  /** A version never changes, so neither does what its digest compiles to. */
  private readonly validators = new LRUCache<string, { validate: SchemaValidator } | { unusable: string }>({
    max: CACHE_ENTRIES,
  });

  constructor(
    private readonly objects: ObjectRepository,
    private readonly values: ValueRepository,
  ) {}

  async issues(annotationRef: string, value: JsonValue, projectRowId: string | null): Promise<Issue[]> {
    const { name, digest } = parseRef(annotationRef) as ObjectRef;
    const version = projectRowId && (await this.objects.findVersion(projectRowId, name, parseVersionSelector(digest)));
    if (!version || version.deletedAt || version.baseObjectClass !== SPEC_CLASS) {
      return [valueIssue('There is no annotation spec with this ref', ['annotation_ref'])];
    }
    const key = `${projectRowId} ${name} ${version.digest}`;
    let compiled = this.validators.get(key);
    if (!compiled) {
      compiled = compile((await this.values.get(projectRowId, version.val)) as string);
      this.validators.set(key, compiled);
    }
    if ('unusable' in compiled) return [valueIssue(compiled.unusable, ['annotation_ref'])];
    return compiled
      .validate(toPlainJson(value))
      .map(({ path, message }) => valueIssue(message, ['payload', 'value', ...path]));
  }
}

function compile(valText: string): { validate: SchemaValidator } | { unusable: string } {
  const val = parseJson(valText);
  const schema = isJsonObject(val) ? (val['field_schema'] ?? {}) : {};
  try {
    return { validate: compileSchema(toPlainJson(schema)) };
  } catch (error) {
    if (error instanceof SchemaUnusableError) return { unusable: error.message };
    throw error;
  }
}
