import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useModels } from '../../shared/data/models.js';
import { useProject } from '../../shared/data/project.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';

/** Makes a model that can be trained, and opens its page. */
export function NewModel() {
  const project = useProject();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [base, setBase] = useState('hone-tiny');
  const models = useModels();
  const creating = useMutation({
    mutationFn: () =>
      hone.training.createTrainableModel({
        ...{ entity: project.entity, project: project.name },
        ...{ name: name.trim(), base_model: base.trim() },
      }),
    onSuccess: ({ id }) => navigate(project.path(`training/models/${id}`)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <section aria-label="New model">
      <form className={page['form']} onSubmit={submit}>
        <label>
          Name
          <Input required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <label>
          Base
          <Input required list="bases" value={base} onChange={({ target }) => setBase(target.value)} />
        </label>
        <datalist id="bases">
          {models.data?.data
            .filter(({ id }) => !id.includes(':///'))
            .map(({ id }) => (
              <option key={id} value={id} />
            ))}
        </datalist>
        <Button type="submit" disabled={creating.isPending || name.trim() === ''}>
          Create model
        </Button>
      </form>
      {creating.error && <ErrorNote error={creating.error} />}
    </section>
  );
}
