import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallEntry } from '../../call-log/call-entry.js';
import { type CallLogSetting, lesserLevel } from '../../call-log/call-log-setting.js';
import { CallLogSettings } from '../../call-log/call-log-settings.service.js';
import { callMetadata } from '../../call-log/call-metadata.js';
import { readLogHeaders } from '../../call-log/log-headers.js';
import { Redactor } from '../../call-log/redaction/redactor.js';
import { CHAT } from '../../shared/endpoint.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { noteOf } from '../splits/drawn-arm.js';

/** Begins the call that the request becomes, if its project and its headers want it kept. @throws InvalidHeaderError */
@Injectable()
export class LogEntry implements ChatStep {
  constructor(
    private readonly settings: CallLogSettings,
    private readonly redactor: Redactor,
    private readonly refScheme: RefScheme,
  ) {}

  run(chat: ChatContext): void | Promise<void> {
    return step(this.settings.of(chat.project.rowId), (setting) => {
      const entry = this.entryOf(chat, setting);
      chat.entry = entry;
      chat.callHeader = entry && this.headerOf(entry);
    });
  }

  /** Projects may have names in any script: a header carries the bytes of their UTF-8. */
  private headerOf({ projectId, id }: CallEntry): Record<string, string> {
    return { 'hone-call': Buffer.from(`${this.refScheme.name}:///${projectId}/call/${id}`).toString('latin1') };
  }

  private entryOf(chat: ChatContext, { level: ofProject, redact }: CallLogSetting): CallEntry | null {
    const { exchange, project, model, parsed, drawn, shadowed } = chat;
    const { dto, body } = parsed;
    const sent = readLogHeaders((name) => exchange.header(name));
    // The calls of a request and of its shadow are of one trace.
    const headers = shadowed === null ? sent : { ...sent, traceId: sent.traceId ?? shadowed.uid };
    const level = lesserLevel(ofProject, headers.level);
    if (level === 'off') return null;
    return new CallEntry({
      uid: exchange.uid,
      rid: exchange.rid,
      endpoint: parsed.endpoint ?? CHAT,
      door: parsed.callNote,
      split: drawn === null ? undefined : noteOf(drawn, shadowed),
      prompt: parsed.prompt,
      projectId: project.projectId,
      user: dto.user ?? null,
      level,
      headers,
      metadata: callMetadata(headers.metadata, dto.metadata, body),
      body,
      isStream: dto.stream === true,
      checkpoint: model.checkpoint,
      fallbacks: model.fallbacks.flatMap(({ checkpoint }) => checkpoint ?? []),
      redaction: redact && ((texts, isChanged) => this.redactor.redact(redact, texts, isChanged)),
    });
  }
}
