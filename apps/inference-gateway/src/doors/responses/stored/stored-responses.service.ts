import { setTimeout as sleep } from 'node:timers/promises';

import { AuditLog, type Principal, type ProjectGrant } from '@hone/auth';
import { isStorableText, parseJson, type PromptReferenceDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { isJsonObject } from '@hone/json';
import { Injectable } from '@nestjs/common';

import type { NamedPrompt } from '../../../call-log/call-entry.js';
import { ResponseNotFoundError } from '../../../call-log/call-log.errors.js';
import { MeteringService } from '../../../metering/recording/metering.service.js';
import type { Completion } from '../../translation/chat-json.js';
import { ResponseForm } from '../answer/response-form.js';
import { isResponseNote, type ResponseNote } from './response-note.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';
import { toAsked } from './to-asked.js';
import { type InputItem, toInputItems } from './to-input-items.js';

type Json = Record<string, unknown>;

const PREFIX = 'resp_';
/** Another process of the gateway may still have the call in its journal. */
const TRIES = 5;
const PAUSE_MS = 200;

/** A response that was stored, as the call that it became. */
interface StoredResponse {
  readonly note: ResponseNote;
  /** Fields of the chat completion that it was. */
  readonly inputs: Json & { readonly messages: readonly Json[] };
  readonly output: Completion;
  /** The prompt object that it named, as its call has it. Absent: none. */
  readonly prompt?: unknown;
}

/** Responses that are calls of the project, kept in full: nothing is stored twice. */
@Injectable()
export class StoredResponses {
  constructor(
    private readonly calls: StoredResponsesRepository,
    private readonly metering: MeteringService,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** The messages of a response and its answer, which another continues. @throws ResponseNotFoundError */
  async conversation(project: ProjectGrant, id: string): Promise<readonly Json[]> {
    const found = await this.find(project, id);
    if (found === null) throw new ResponseNotFoundError(id, 'previous_response_id');
    const { content = null, refusal, tool_calls: calls } = found.output.choices[0]?.message ?? {};
    const answer = {
      role: 'assistant',
      content,
      ...(refusal && { refusal }),
      ...(calls?.length && { tool_calls: calls }),
    };
    return [...messagesOf(found), answer];
  }

  /** @throws ResponseNotFoundError */
  async get(project: ProjectGrant, id: string): Promise<object> {
    const { note, inputs, output, prompt } = await this.found(project, id);
    const asked = { ...toAsked(inputs, note), prompt: promptOf(prompt) };
    return new ResponseForm(asked, id.slice(PREFIX.length), true).whole(output);
  }

  /** What it was asked with, oldest first. @throws ResponseNotFoundError */
  async inputItems(project: ProjectGrant, id: string): Promise<readonly InputItem[]> {
    return toInputItems(messagesOf(await this.found(project, id)), id.slice(PREFIX.length));
  }

  /** Deletes the call that it is, too. @throws ResponseNotFoundError */
  async delete(caller: Principal, project: ProjectGrant, id: string): Promise<void> {
    await this.found(project, id);
    const { rowId, projectId } = project;
    await this.database.transaction(async () => {
      if (rowId === null || !(await this.calls.delete(rowId, id.slice(PREFIX.length))))
        throw new ResponseNotFoundError(id);
      await this.audit.addOf(caller, projectId, 'calls.delete', { count: 1 });
    });
  }

  private async found(project: ProjectGrant, id: string): Promise<StoredResponse> {
    const found = await this.find(project, id);
    if (found === null) throw new ResponseNotFoundError(id);
    return found;
  }

  /** A response that was just given is on its way from the journal to the database. */
  private async find({ rowId }: ProjectGrant, id: string): Promise<StoredResponse | null> {
    if (rowId === null || !id.startsWith(PREFIX) || !isStorableText(id)) return null;
    const callId = id.slice(PREFIX.length);
    for (let tried = 0; tried < TRIES; tried++) {
      const call = await this.calls.find(rowId, callId);
      if (call !== null) return toResponse(call);
      if (tried === 0) await this.metering.flush();
      else await sleep(PAUSE_MS);
    }
    return null;
  }
}

function toResponse({ attributes, inputs, output }: Record<'attributes' | 'inputs' | 'output', string | null>) {
  const { door: note, prompt } = read(attributes) ?? {};
  const [asked, answered] = [read(inputs), read(output)];
  if (!isResponseNote(note) || note.store === false) return null;
  if (!Array.isArray(asked?.['messages']) || !Array.isArray(answered?.['choices'])) return null;
  return { note, prompt, inputs: asked, output: answered } as unknown as StoredResponse;
}

function read(text: string | null): Json | null {
  const json = text === null ? null : parseJson(text);
  return isJsonObject(json) ? (json as Json) : null;
}

const messagesOf = ({ note, inputs }: StoredResponse): readonly Json[] =>
  inputs.messages.slice((note.instructions ? 1 : 0) + (note.prompted ?? 0));

/** As a request would name it. */
function promptOf(named: unknown): PromptReferenceDto | null {
  if (!isJsonObject(named)) return null;
  const { id, version, variables } = named as unknown as NamedPrompt;
  return { id, version, variables: variables ?? null };
}
