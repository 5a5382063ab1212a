import { Injectable } from '@nestjs/common';
import type { Class } from '@hone/contracts';

import type { DeclaredFeature } from './answers.decorator.js';

/** What a service documents of routes that are no controller's. */
export interface OpenApiPart {
  /** Path -> path item, as in the document. */
  readonly paths: Readonly<Record<string, object>>;
  /** Classes of the bodies that the paths take. */
  readonly requests: readonly Class[];
  /** Classes of the bodies that they answer. */
  readonly answers: readonly Class[];
  /** What the tags of the paths stand for. */
  readonly tags?: readonly DeclaredFeature[];
}

/** Collects parts of the OpenAPI document until it is asked for. */
@Injectable()
export class OpenApiParts {
  readonly all: OpenApiPart[] = [];

  add(part: OpenApiPart): void {
    this.all.push(part);
  }
}
