/**
 * How the bundled model sees a conversation (Jinja, as in `tokenizer_config.json` of the Hugging Face layout):
 * `<|bos|>`, each message as `<|role|>content<|end|>`, the tools after the system message or first. What is rendered
 * with a generation prompt is the beginning of what is rendered with the answer.
 */
export const CHAT_TEMPLATE = `
{%- macro text_of(content) -%}
  {%- if content is string -%}
    {{- content -}}
  {%- elif content -%}
    {%- for part in content -%}
      {%- if part.type != 'text' -%}{{- raise_exception('This model reads text only.') -}}{%- endif -%}
      {{- part.text -}}
    {%- endfor -%}
  {%- endif -%}
{%- endmacro -%}
{%- macro tools_block() -%}
  {%- if tools -%}{{- '<|tools|>' + (tools | tojson(separators=(',', ':'))) + '<|end|>' -}}{%- endif -%}
{%- endmacro -%}
{{- '<|bos|>' -}}
{%- if messages[0].role not in ['system', 'developer'] -%}{{- tools_block() -}}{%- endif -%}
{%- for message in messages -%}
  {%- set role = 'system' if message.role == 'developer' else message.role -%}
  {%- if role not in ['system', 'user', 'assistant', 'tool'] -%}
    {{- raise_exception('This model has no role ' + role + '.') -}}
  {%- endif -%}
  {{- '<|' + role + '|>' + text_of(message.content) -}}
  {%- for call in message.tool_calls or [] -%}
    {{- '<|tool_call|>{"name":' + (call.function.name | tojson) + ',"arguments":' -}}
    {%- if call.function.arguments is string -%}
      {{- call.function.arguments -}}
    {%- else -%}
      {{- call.function.arguments | tojson(separators=(',', ':')) -}}
    {%- endif -%}
    {{- '}' -}}
  {%- endfor -%}
  {{- '<|end|>' -}}
  {%- if loop.first and role == 'system' -%}{{- tools_block() -}}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}
`.trim();
