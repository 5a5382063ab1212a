import type { CallDto } from '@hone/client';

import { useProject } from '../../../shared/data/project.js';
import { readWhole } from '../../../shared/payload/read-whole.js';
import { type Language, LANGUAGES } from '../../../shared/request-code/request-code.js';
import { requestOfCall } from '../../../shared/request-code/request-of-call.js';
import { CopyButton } from '../../../shared/ui/copy-button.js';
import styles from './relations.module.css';

/** The request of a model call as code that sends it to this gateway, with a key that the reader has. */
export function CopyRequest({ call }: { readonly call: CallDto }) {
  const { id: projectId } = useProject();
  const codeIn = async ({ toCode }: Language): Promise<string> => {
    // The form of the answer tells Messages from chat completions.
    const [inputs, output] = await Promise.all([readWhole(call.inputs), readWhole(call.output)]);
    const request = requestOfCall(inputs, output);
    if (request === null) throw new Error('The call names no model.');
    return toCode({ ...request, origin: location.origin, projectId });
  };
  return (
    <div className={styles['copy']} role="group" aria-label="Copy the request as">
      <span className={styles['muted']}>Copy as</span>
      {LANGUAGES.map((language) => (
        <CopyButton key={language.name} label={language.label} text={() => codeIn(language)} isNamed />
      ))}
    </div>
  );
}
