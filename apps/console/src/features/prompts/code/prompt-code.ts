import { CHAT_COMPLETIONS, RESPONSES } from '../../../shared/request-code/api-form.js';
import { LANGUAGES } from '../../../shared/request-code/request-code.js';

/** A request that names a prompt, as code shows it. */
export interface NamedPrompt {
  readonly projectId: string;
  /** Address of this Hone. */
  readonly origin: string;
  readonly id: string;
  /** A label, or `v<N>`. */
  readonly version: string;
  readonly model: string;
  /** Of every variable that the prompt has. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A way to use a prompt from code. */
export interface PromptUse {
  readonly name: string;
  readonly label: string;
  /** Names of languages, as {@link LANGUAGES} has them. */
  readonly languages: readonly string[];
  toCode(prompt: NamedPrompt, language: string): string;
}

const promptOf = ({ id, version, variables }: NamedPrompt): object => ({
  ...{ id, version },
  ...(Object.keys(variables).length > 0 && { variables }),
});

const ALL = LANGUAGES.map(({ name }) => name);

const requestUse = (name: string, form: typeof RESPONSES, more: object): PromptUse => ({
  ...{ name, label: form.label, languages: ALL },
  toCode: (prompt, language) => {
    const { toCode } = LANGUAGES.find((one) => one.name === language) ?? (LANGUAGES[0] as (typeof LANGUAGES)[number]);
    const { origin, projectId, model } = prompt;
    return toCode({ form, origin, projectId, fields: { model, ...more, prompt: promptOf(prompt) } });
  },
});

/** For applications that ask models by themselves: Weave's own `format` knows other braces. */
const toWeave = ({ origin, projectId, id, version, variables }: NamedPrompt): string => `import os
import re

import weave

os.environ["WANDB_BASE_URL"] = ${JSON.stringify(origin)}
os.environ["WANDB_API_KEY"] = os.environ["HONE_API_KEY"]
weave.init(${JSON.stringify(projectId)})

prompt = weave.ref(${JSON.stringify(`${id}:${version}`)}).get()
variables = {${Object.entries(variables)
  .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  .join(', ')}}


def fill(value):
    if isinstance(value, list):
        return [fill(one) for one in value]
    if isinstance(value, dict):
        return {key: fill(one) for key, one in value.items()}
    if not isinstance(value, str):
        return value
    return re.sub(r"\\{\\{ *([A-Za-z_][\\w.-]*) *\\}\\}", lambda found: variables.get(found[1], found[0]), value)


messages = getattr(prompt, "messages", None) or [{"role": "system", "content": prompt.content}]
messages = fill(list(messages))
print(messages)`;

/** The ways in the order in which they are offered. */
export const USES: readonly PromptUse[] = [
  // SDKs want the messages that follow the prompt, of which there may be none.
  requestUse('chat', CHAT_COMPLETIONS, { messages: [] }),
  requestUse('responses', RESPONSES, {}),
  { name: 'weave', label: 'Weave', languages: ['python'], toCode: toWeave },
];
