import type { BaseModel, ServedBaseInfo, ServingEngine } from '@hone/engine';

import { ConstraintCheck } from './request/constraint-check.js';
import { longestTokenBytes } from './request/longest-token.js';
import { readToolCallForm, type ToolCallForm } from './tools/tool-call-form.js';

/** A base model that the engine has loaded. */
export class EmbeddedBase {
  /** How the model writes a call; null: it knows no tools. */
  readonly toolCallForm: ToolCallForm | null;
  /** Variables that its chat template reads. */
  readonly declaredKwargs: ReadonlySet<string>;
  readonly readsDocuments: boolean;
  readonly hasTemplate: boolean;
  /** Bytes of the longest text that one token can be. */
  readonly longestTokenBytes: number;
  readonly constraints: ConstraintCheck;

  /** @param digest of the weights, hexadecimal */
  constructor(
    readonly id: string,
    readonly model: BaseModel,
    readonly info: ServedBaseInfo,
    readonly digest: string,
    readonly engine: ServingEngine,
  ) {
    const { chatTemplate } = model;
    this.hasTemplate = chatTemplate.source.template !== null;
    this.declaredKwargs = this.hasTemplate ? chatTemplate.declaredKwargs() : new Set();
    this.readsDocuments = this.hasTemplate && chatTemplate.readsDocuments();
    this.toolCallForm = this.hasTemplate ? readToolCallForm(model) : null;
    this.longestTokenBytes = longestTokenBytes(model.tokenizer);
    this.constraints = new ConstraintCheck(engine, model.directory);
  }
}
