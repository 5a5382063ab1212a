import { useState } from 'react';

import { useProject } from '../../../shared/data/project.js';
import { Dialog } from '../../../shared/dialog/dialog.js';
import { type Language, LANGUAGES } from '../../../shared/request-code/request-code.js';
import { CopyButton } from '../../../shared/ui/copy-button.js';
import { Select } from '../../../shared/ui/input.js';
import type { AskedChat, Door } from '../doors/door.js';
import styles from '../playground.module.css';

interface Props {
  readonly door: Door;
  readonly chat: AskedChat;
  readonly close: () => void;
}

/** The request as code that sends it from elsewhere, with a key that the reader has. */
export function ShowCode({ door, chat, close }: Props) {
  const project = useProject();
  const [language, setLanguage] = useState(LANGUAGES[0] as Language);
  const { fields } = door.toBody(chat);
  const code = language.toCode({ form: door, fields, origin: location.origin, projectId: project.id });
  return (
    <Dialog title={`The request as code: ${door.label}`} close={close}>
      <div className={styles['code']}>
        <div className={styles['actions']}>
          <Select
            aria-label="Language"
            value={language.name}
            onChange={({ target }) => setLanguage(LANGUAGES.find(({ name }) => name === target.value) ?? language)}
          >
            {LANGUAGES.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
          <CopyButton label="Copy the code" isNamed text={() => code} />
        </div>
        <pre tabIndex={0} aria-label="Code" role="region">
          {code}
        </pre>
        <p className={styles['muted']}>
          It reads the key from the environment variable <code>HONE_API_KEY</code>, and asks for the whole answer at
          once.
        </p>
      </div>
    </Dialog>
  );
}
