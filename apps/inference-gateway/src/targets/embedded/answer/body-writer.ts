import type { AnswerEvent, AnswerTokens, PromptTokenReport, TokenReport } from '@hone/engine';

import { type AnswerForm, finishReasonOf, newCallId, type ToolCallJson } from './answer-form.js';
import type { AnswerWriter } from './answer-writer.js';
import type { UsageMeter } from './usage-meter.js';

interface PartialChoice {
  reasoning: string;
  text: string;
  readonly calls: ToolCallJson[];
  /** Call that is being written. */
  call: { readonly name: string; arguments: string };
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
      reasoning: '',
      text: form.echo,
      calls: [],
      call: { name: '', arguments: '' },
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
    if (event.kind === 'reasoning' && !this.form.showsReasoning) return null;
    addTokens(choice, event, this.form.showsLogprobs);
    addPart(choice, event, this.form);
    return null;
  }

  end(): Buffer {
    const { head, names, promptIds, echoedIds } = this.form;
    const body = {
      ...head,
      choices: this.choices.map((choice, index) => this.choiceJson(choice, index)),
      usage: this.meter.toJson(),
      ...(this.promptReports && { prompt_logprobs: names.promptLogprobs(this.promptReports) }),
      ...(promptIds && { prompt_token_ids: promptIds }),
      ...(echoedIds && { prompt_texts: names.texts(echoedIds) }),
    };
    return Buffer.from(JSON.stringify(body));
  }

  private choiceJson({ reasoning, text, calls, ids, reports, hasReports, end }: PartialChoice, index: number): object {
    const { role, names, promptIds, choicesHavePrompt, usesFunctions } = this.form;
    const hasCalls = calls.length > 0;
    return {
      index,
      message: {
        role,
        content: hasCalls && text === '' ? null : text,
        refusal: null,
        ...(reasoning !== '' && { reasoning }),
        ...(hasCalls && (usesFunctions ? { function_call: calls[0]?.function } : { tool_calls: calls })),
      },
      logprobs: names.logprobs(hasReports ? reports : null),
      ...end,
      ...(promptIds && choicesHavePrompt && { prompt_token_ids: promptIds }),
      ...(promptIds && { token_ids: ids }),
    };
  }
}

/** Ours: a call that the token limit cuts off is left out, because its arguments are no JSON. */
function addPart(choice: PartialChoice, event: Exclude<AnswerEvent, { kind: 'prompt' }>, form: AnswerForm): void {
  switch (event.kind) {
    case 'text':
      choice.text += event.text;
      break;
    case 'reasoning':
      choice.reasoning += event.text;
      break;
    case 'call':
      choice.call = { name: event.name, arguments: '' };
      break;
    case 'arguments':
      choice.call.arguments += event.text;
      break;
    case 'call_end':
      choice.calls.push({ id: newCallId(), type: 'function', function: choice.call });
      break;
    case 'finish': {
      const { stopReason } = event;
      choice.end = {
        finish_reason: finishReasonOf(event, form),
        ...(stopReason !== null && { stop_reason: stopReason }),
      };
    }
  }
}

function addTokens(choice: PartialChoice, { ids, logProbabilities }: AnswerTokens, showsLogprobs: boolean): void {
  for (const id of ids) choice.ids.push(id);
  if (!showsLogprobs) return;
  for (const report of logProbabilities ?? []) choice.reports.push(report);
  choice.hasReports ||= logProbabilities !== null;
}
