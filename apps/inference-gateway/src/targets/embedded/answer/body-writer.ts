import type { AnswerEvent, AnswerTokens, PromptTokenReport, TokenReport } from '@hone/engine';

import { type AnswerForm, type ToolCallJson, toToolCall } from './answer-form.js';
import type { AnswerWriter } from './answer-writer.js';
import type { UsageMeter } from './usage-meter.js';

interface PartialChoice {
  text: string;
  readonly calls: ToolCallJson[];
  readonly ids: number[];
  readonly reports: TokenReport[];
  hasReports: boolean;
  end: { readonly finish_reason: string; readonly stop_reason?: string | number };
}

/** Collects an answer into one body. */
export class BodyWriter implements AnswerWriter {
  private readonly choices: PartialChoice[];
  private promptReports: readonly (PromptTokenReport | null)[] | null = null;

  constructor(
    private readonly form: AnswerForm,
    private readonly meter: UsageMeter,
  ) {
    this.choices = Array.from({ length: form.choices }, () => ({
      text: form.echo,
      calls: [],
      ids: [],
      reports: [],
      hasReports: false,
      end: { finish_reason: 'stop' },
    }));
  }

  write(event: AnswerEvent): null {
    if (event.kind === 'prompt') {
      this.promptReports = event.logProbabilities;
      return null;
    }
    const choice = this.choices[event.choice] as PartialChoice;
    addTokens(choice, event, this.form.showsLogprobs);
    if (event.kind === 'text') choice.text += event.text;
    else if (event.kind === 'call') choice.calls.push(toToolCall(event));
    else {
      const { finishReason, stopReason } = event;
      choice.end = { finish_reason: finishReason, ...(stopReason !== null && { stop_reason: stopReason }) };
    }
    return null;
  }

  end(): Buffer {
    const { head, names, promptIds } = this.form;
    const body = {
      ...head,
      choices: this.choices.map((choice, index) => this.choiceJson(choice, index)),
      usage: this.meter.toJson(),
      ...(this.promptReports && { prompt_logprobs: names.promptLogprobs(this.promptReports) }),
      ...(promptIds && { prompt_token_ids: promptIds }),
    };
    return Buffer.from(JSON.stringify(body));
  }

  private choiceJson({ text, calls, ids, reports, hasReports, end }: PartialChoice, index: number): object {
    const { role, names, promptIds, choicesHavePrompt } = this.form;
    const hasCalls = calls.length > 0;
    return {
      index,
      message: {
        role,
        content: hasCalls && text === '' ? null : text,
        refusal: null,
        ...(hasCalls && { tool_calls: calls }),
      },
      logprobs: names.logprobs(hasReports ? reports : null),
      ...end,
      ...(promptIds && choicesHavePrompt && { prompt_token_ids: promptIds }),
      ...(promptIds && { token_ids: ids }),
    };
  }
}

function addTokens(choice: PartialChoice, { ids, logProbabilities }: AnswerTokens, showsLogprobs: boolean): void {
  for (const id of ids) choice.ids.push(id);
  if (!showsLogprobs) return;
  for (const report of logProbabilities ?? []) choice.reports.push(report);
  choice.hasReports ||= logProbabilities !== null;
}
