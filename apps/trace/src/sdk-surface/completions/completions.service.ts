import { type Principal, ProjectAccess } from '@hone/auth';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ChatFailure, type ChatGateway } from './chat-gateway.js';
import { toChatRequest } from './chat-request.js';
import { PromptUnreadableError } from './completion.errors.js';
import type { CompletionDto } from './completions.dto.js';
import { StreamedMessage } from './streamed-message.js';

/** Secrets among the inputs: no call keeps them. */
const SECRETS = ['vertex_credentials', 'extra_headers'];
const CLIENT_LEFT = 'The client left before the stream was whole.';
const OP_NAME = 'completions.create';

/** Sends a request of the canonical surface in the name of the caller. @returns status and body */
export type Canonical = (path: string, body: JsonObject) => Promise<{ status: number; text: string }>;

/** Where a completion comes from and goes to. */
export interface Exchange {
  gateway: ChatGateway;
  canonical: Canonical;
}

/** Chat completions by the gateway, kept as calls. */
@Injectable()
export class CompletionsService {
  constructor(private readonly access: ProjectAccess) {}

  /**
   * The completion, or why there is none, as `response.error`: clients would repeat a status of 5xx for hours.
   *
   * @throws AccessDeniedError, PromptUnreadableError
   */
  async create(caller: Principal, body: CompletionDto, exchange: Exchange): Promise<JsonObject> {
    const call = await this.begin(caller, body);
    const request = toChatRequest(call.inputs, await this.promptMessages(call.inputs, exchange), false);
    let response: JsonValue;
    try {
      response = parseJson(await exchange.gateway.complete(request));
    } catch (error) {
      response = { error: reasonOf(error) };
    }
    await this.keep(call, response, exchange);
    return { response, ...idsOf(call) };
  }

  /** The same as lines of JSON: the ids of the call, then each chunk as it comes; an error is the last line. */
  async *stream(caller: Principal, body: CompletionDto, exchange: Exchange): AsyncGenerator<string> {
    const call = await this.begin(caller, body);
    const request = toChatRequest(call.inputs, await this.promptMessages(call.inputs, exchange), true);
    if (call.isKept) yield `${stringifyJson({ _meta: idsOf(call) })}\n`;
    const message = new StreamedMessage();
    let failure: string | null = CLIENT_LEFT;
    try {
      for await (const { text, value } of exchange.gateway.stream(request)) {
        message.add(value);
        yield `${text}\n`;
      }
      failure = null;
    } catch (error) {
      failure = reasonOf(error);
      yield `${stringifyJson({ error: failure })}\n`;
    } finally {
      await this.keep(call, failure === null ? message.completion : { error: failure }, exchange);
    }
  }

  private async begin(caller: Principal, body: CompletionDto): Promise<Tracked> {
    const isKept = body.track_llm_call !== false;
    await this.access.findReadable(caller, 'trace', body.project_id, isKept ? 'writer' : 'reader');
    return {
      isKept,
      projectId: body.project_id,
      id: newId(),
      traceId: body.trace_id ?? newId(),
      parentId: body.parent_id ?? null,
      startedAt: new Date(),
      inputs: body.inputs as JsonObject,
    };
  }

  private async promptMessages(inputs: JsonObject, { canonical }: Exchange): Promise<JsonValue[]> {
    const { prompt } = inputs;
    if (typeof prompt !== 'string') return [];
    const { status, text } = await canonical('/refs/read_batch', { refs: [prompt] });
    const vals = status === 200 ? (parseJson(text) as JsonObject)['vals'] : [];
    const messages = Array.isArray(vals) && isJsonObject(vals[0]) ? vals[0]['messages'] : undefined;
    if (!Array.isArray(messages)) throw new PromptUnreadableError(prompt);
    return messages;
  }

  private async keep(call: Tracked, output: JsonValue, { canonical }: Exchange): Promise<void> {
    if (!call.isKept) return;
    const usage = isJsonObject(output) && isJsonObject(output['usage']) ? output['usage'] : null;
    const model = typeof call.inputs['model'] === 'string' ? call.inputs['model'] : 'unknown';
    const error = isJsonObject(output) && typeof output['error'] === 'string' ? output['error'] : null;
    await canonical(`/v2/${call.projectId.split('/').map(encodeURIComponent).join('/')}/calls/complete`, {
      batch: [
        {
          ...{ id: call.id, trace_id: call.traceId, parent_id: call.parentId, op_name: OP_NAME },
          ...{ started_at: call.startedAt.toISOString(), ended_at: new Date().toISOString(), exception: error },
          ...{ attributes: {}, inputs: withoutSecrets(call.inputs), output },
          summary: usage ? { usage: { [model]: { requests: 1, ...usage } } } : {},
        },
      ],
    });
  }
}

interface Tracked {
  isKept: boolean;
  projectId: string;
  id: string;
  traceId: string;
  parentId: string | null;
  startedAt: Date;
  inputs: JsonObject;
}

const idsOf = ({ isKept, id, traceId }: Tracked): JsonObject =>
  isKept ? { weave_call_id: id, trace_id: traceId, span_id: id } : {};

function reasonOf(error: unknown): string {
  if (error instanceof ChatFailure) return error.message;
  return 'The completion failed.';
}

const withoutSecrets = (inputs: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !SECRETS.includes(name)));
