import {
  type BaseModel,
  longestTokenBytes,
  readReasoningForm,
  readToolCallForm,
  type ReasoningForm,
  type ServedBaseInfo,
  type ServingEngine,
  type ToolCallForm,
} from '@hone/engine';

/** A base model that the engine has loaded, and facts from its files. */
export class EmbeddedBase {
  /** Format of the model's tool calls; null: it calls no tools. */
  readonly toolCallForm: ToolCallForm | null;
  /** How it writes what it thinks before it answers; null: it does not. */
  readonly reasoningForm: ReasoningForm | null;
  /** Variables that its chat template reads. */
  readonly declaredKwargs: ReadonlySet<string>;
  readonly readsDocuments: boolean;
  readonly hasTemplate: boolean;
  /** Bytes of the longest text that one token can be. */
  readonly longestTokenBytes: number;

  /** Whether its folder has other files by now, or none: later requests open those. */
  isOutdated = false;

  /**
   * @param name under which the engine has loaded it
   * @param digest of the weights, hexadecimal
   */
  constructor(
    readonly id: string,
    readonly name: string,
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
    this.reasoningForm = readReasoningForm(model);
    this.longestTokenBytes = longestTokenBytes(model.tokenizer);
  }
}
