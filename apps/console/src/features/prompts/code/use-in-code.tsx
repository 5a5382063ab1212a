import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { useModels } from '../../../shared/data/models.js';
import { useProject } from '../../../shared/data/project.js';
import { Dialog } from '../../../shared/dialog/dialog.js';
import page from '../../../shared/page/page.module.css';
import { type Prompt, type Variables, variablesOf } from '../../../shared/prompts/prompt.js';
import { LANGUAGES } from '../../../shared/request-code/request-code.js';
import { CopyButton } from '../../../shared/ui/copy-button.js';
import { Select } from '../../../shared/ui/input.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import styles from '../prompts.module.css';
import type { VersionProps } from '../versions.js';
import { USES } from './prompt-code.js';

/** What a model is called while none is known. */
const ANY_MODEL = 'your-model';

interface Props extends Pick<VersionProps, 'shown'> {
  readonly prompt: Prompt;
  /** Model that the prompt asks for itself; '': none. */
  readonly model: string;
  readonly variables: Variables;
  readonly close: () => void;
}

/** Requests that name the prompt by a label or as a version, to paste elsewhere. */
export function UseInCode({ shown, prompt, model, variables, close }: Props) {
  const project = useProject();
  const { object_id, version_index } = shown;
  const labels = useQuery({
    queryKey: ['object aliases', project.id, object_id],
    queryFn: async ({ signal }) =>
      (await hone.trace.listObjectAliases({ object_id, project_id: project.id }, { signal })).aliases,
  });
  const models = useModels();
  const [use, setUse] = useState(USES[0] as (typeof USES)[number]);
  const [language, setLanguage] = useState('curl');
  const [version, setVersion] = useState<string>();
  const names = labels.data?.map(({ alias }) => alias) ?? [];
  const versions = [...names, 'latest', `v${version_index}`];
  const named = version ?? (names.includes('production') ? 'production' : (names[0] ?? `v${version_index}`));
  const shownLanguage = use.languages.includes(language) ? language : (use.languages[0] ?? '');
  const code = use.toCode(
    {
      ...{ projectId: project.id, origin: location.origin, id: object_id, version: named },
      model: model || (models.data?.data.find(({ kind }) => kind === undefined)?.id ?? ANY_MODEL),
      variables: Object.fromEntries(variablesOf(prompt.messages).map((name) => [name, variables[name] ?? '…'])),
    },
    shownLanguage,
  );
  return (
    <Dialog title={`Use ${object_id} in code`} close={close}>
      <div className={styles['code']}>
        {labels.error && <ErrorNote error={labels.error} retry={() => void labels.refetch()} />}
        <div className={styles['head']}>
          <Choice label="Version" value={named} options={versions} choose={setVersion} />
          <Choice
            label="API"
            value={use.label}
            options={USES.map(({ label }) => label)}
            choose={(label) => setUse(USES.find((one) => one.label === label) ?? use)}
          />
          <Choice
            label="Language"
            value={labelOf(shownLanguage)}
            options={use.languages.map(labelOf)}
            choose={(label) => setLanguage(LANGUAGES.find((one) => one.label === label)?.name ?? language)}
          />
          <CopyButton label="Copy the code" isNamed text={() => code} />
        </div>
        <pre tabIndex={0} aria-label="Code" role="region">
          {code}
        </pre>
        <p className={page['muted']}>
          It reads the key from the environment variable <code>HONE_API_KEY</code>. A label moves without a change of
          the code.
        </p>
      </div>
    </Dialog>
  );
}

const labelOf = (language: string): string => LANGUAGES.find(({ name }) => name === language)?.label ?? language;

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly choose: (value: string) => void;
}

const Choice = ({ label, value, options, choose }: ChoiceProps) => (
  <Select aria-label={label} value={value} onChange={({ target }) => choose(target.value)}>
    {[...new Set(options)].map((option) => (
      <option key={option}>{option}</option>
    ))}
  </Select>
);
