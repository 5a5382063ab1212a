import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { Page } from '../../../shared/page/page.js';
import page from '../../../shared/page/page.module.css';
import { PendingPage } from '../../../shared/page/pending-page.js';
import { toSettings } from '../../../shared/settings/settings.js';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select, TextArea } from '../../../shared/ui/input.js';
import { EmptyNote, ErrorNote } from '../../../shared/ui/notes.js';
import styles from '../training.module.css';
import { DatasetSelect } from './dataset-select.js';
import { ForecastNote } from './forecast-note.js';
import { type DataSource, type JobKind, type JobOrder, train, tryOut } from './job-order.js';
import { useDatasets } from './use-datasets.js';

const TITLE = 'New training job';
const LIMIT = 100;
const NAME = /[^A-Za-z0-9_.-]+/g;

/** Puts a training job together: which model, from what, how; with a dry run before anything is trained. */
export default function NewJobPage() {
  const project = useProject();
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const [chosenModel, setModel] = useSearchState('model');
  const [chosenKind, setKind] = useSearchState('kind');
  const [chosenSource, setSource] = useSearchState('from');
  const [chosenUrl, setUrl] = useSearchState('data');
  const [chosenDataset, setDataset] = useSearchState('dataset');
  const [file, setFile] = useState<File | null>(null);
  const [minReward, setMinReward] = useState('1');
  const [learningRate, setLearningRate] = useState('');
  const [epochs, setEpochs] = useState('');
  const [others, setOthers] = useState('');
  const of = { entity: project.entity, project: project.name };
  const known = useQuery({
    queryKey: ['new job', project.id],
    queryFn: async ({ signal }) => {
      const [models, data] = await Promise.all([
        hone.training.listTrainableModels({ ...of, order: 'desc', limit: LIMIT }, { signal }),
        hone.training.listArtifacts({ ...of, limit: LIMIT }, { signal }),
      ]);
      return { models: models.data, data: data.data };
    },
  });
  const kind = KINDS.find((one) => one === chosenKind) ?? 'rl';
  const source = SOURCES.find((one) => one === chosenSource) ?? 'calls';
  const datasets = useDatasets(source === 'dataset');
  const dataset = datasets.data?.find(({ objectId }) => objectId === chosenDataset) ?? null;
  const modelId = chosenModel || (known.data?.models[0]?.id ?? '');
  const order = (): JobOrder => ({
    ...{ kind, modelId, source, file, dataset, url: chosenUrl },
    name: source === 'file' ? (file?.name ?? '').replace(NAME, '-').slice(0, 128) : 'judged-calls',
    minReward: minReward.trim() === '' ? null : Number(minReward),
    settings: toSettings({ learning_rate: learningRate, ...(kind !== 'rl' && { n_epochs: epochs }) }, others),
  });
  // Arrows of their own: a wrong setting is then an error like any other.
  const trying = useMutation({ mutationFn: async () => tryOut(project, order()) });
  const training = useMutation({
    mutationFn: async () => train(project, order(), trying.data?.ready ?? null),
    onSuccess: ({ id }) => navigate(project.path(`training/jobs/${id}`)),
  });
  const changed = () => trying.reset();
  const back = <Link to={project.path('training')}>Training</Link>;
  if (!mayWrite)
    return (
      <Page title={TITLE} back={back}>
        <EmptyNote title="Your role lets you look, not train">
          <p>
            Ask an owner of {project.entity} for the role writer. <Link to={project.path('training')}>Back</Link>
          </p>
        </EmptyNote>
      </Page>
    );
  if (known.error || !known.data) {
    const retry = () => void known.refetch();
    return <PendingPage title={TITLE} back={back} what="models and data" error={known.error} retry={retry} />;
  }
  if (known.data.models.length === 0) {
    return (
      <Page title={TITLE} back={back}>
        <EmptyNote title="There is no model to train yet">
          <p>
            Create one on the page <Link to={project.path('training')}>Training</Link> first.
          </p>
        </EmptyNote>
      </Page>
    );
  }
  const isReady = { calls: true, file: file !== null, url: chosenUrl !== '', dataset: dataset !== null }[source];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    training.mutate();
  };
  return (
    <Page title={TITLE} back={back}>
      <form className={page['body']} onSubmit={submit} onChange={changed} aria-label="New job">
        <div className={page['form']}>
          <label>
            Model
            <Select value={modelId} onChange={({ target }) => setModel(target.value)}>
              {known.data.models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </label>
          <label>
            Learn from
            <Select value={kind} onChange={({ target }) => setKind(target.value)}>
              <option value="rl">rewards: prefer better answers (RL)</option>
              <option value="sft">examples: answer like these (SFT)</option>
              <option value="pairs">pairs: answer like the better one (DPO)</option>
              <option value="thumbs">thumbs: what people like, and what not (KTO)</option>
            </Select>
          </label>
          <label>
            Data
            <Select value={source} onChange={({ target }) => setSource(target.value)}>
              <option value="calls">judged calls of this project</option>
              <option value="dataset">a dataset of this project</option>
              <option value="file">a file from this computer</option>
              <option value="url">data that is here already</option>
            </Select>
          </label>
          {source === 'calls' && kind === 'sft' && (
            <label>
              Least reward
              <Input type="number" step="any" value={minReward} onChange={({ target }) => setMinReward(target.value)} />
            </label>
          )}
          {source === 'dataset' && (
            <DatasetSelect datasets={datasets} chosen={dataset?.objectId ?? ''} choose={setDataset} />
          )}
          {source === 'file' && (
            <label>
              JSON lines
              <Input type="file" accept=".jsonl" onChange={({ target }) => setFile(target.files?.[0] ?? null)} />
            </label>
          )}
          {source === 'url' && (
            <label>
              Artifact
              <Select value={chosenUrl} onChange={({ target }) => setUrl(target.value)}>
                <option value="">choose …</option>
                {known.data.data.map(({ url, name, version }) => (
                  <option key={url} value={url}>
                    {name} v{version}
                  </option>
                ))}
              </Select>
            </label>
          )}
        </div>
        <p className={page['muted']}>{EXPLAINED[source][kind]}</p>
        <div className={page['form']}>
          <label>
            Learning rate
            <Input
              inputMode="decimal"
              placeholder="default"
              value={learningRate}
              onChange={({ target }) => setLearningRate(target.value)}
            />
          </label>
          {kind !== 'rl' && (
            <label>
              Epochs
              <Input
                inputMode="numeric"
                placeholder="default"
                value={epochs}
                onChange={({ target }) => setEpochs(target.value)}
              />
            </label>
          )}
        </div>
        <label className={styles['wide']}>
          Other settings, as JSON
          <TextArea rows={2} placeholder="{}" value={others} onChange={({ target }) => setOthers(target.value)} />
        </label>
        <div className={page['row']}>
          <Button disabled={!isReady || trying.isPending} onClick={() => trying.mutate()}>
            {trying.isPending ? 'Looking …' : 'Dry run'}
          </Button>
          <Button type="submit" kind="primary" disabled={!isReady || training.isPending}>
            Train
          </Button>
        </div>
        {trying.error && <ErrorNote error={trying.error} />}
        {training.error && <ErrorNote error={training.error} />}
        {trying.data && <ForecastNote forecast={trying.data} />}
      </form>
    </Page>
  );
}

const KINDS: readonly JobKind[] = ['rl', 'sft', 'pairs', 'thumbs'];
const SOURCES: readonly DataSource[] = ['calls', 'dataset', 'file', 'url'];

const EXPLAINED: Readonly<Record<DataSource, Readonly<Record<JobKind, string>>>> = {
  calls: {
    rl: 'Answers of the model to the same prompt are compared: a thumb up is worth 1, a thumb down 0. Prompts with one judged answer teach nothing.',
    sft: 'Answers with at least this reward become examples; a correction stands in place of its answer.',
    pairs:
      'Pairs of a better and a worse answer: what people corrected, what they chose side by side, and answers to one prompt with different thumbs.',
    thumbs: 'Every answer with a thumb, of any model, up and down.',
  },
  dataset: {
    rl: 'Rows with “trajectories” are groups; other rows are left out. The data is made of the newest version.',
    pairs:
      'Rows with “chosen” and “rejected”, and with “messages” or “prompt”; others are left out. The data is made of the newest version.',
    thumbs:
      'Rows with “completion” and “label”, and with “messages” or “prompt”; others are left out. The data is made of the newest version.',
    sft: 'Rows with “messages”, or with “inputs.messages” and “output” as those of calls, are conversations; others are left out. The data is made of the newest version.',
  },
  file: {
    rl: 'One group of trajectories a line, as {"trajectories": […]}.',
    sft: 'One conversation a line, as {"messages": […]}.',
    pairs: 'One pair a line, as {"messages": […], "chosen": …, "rejected": …}.',
    thumbs: 'One answer a line, as {"messages": […], "completion": …, "label": true}.',
  },
  url: {
    rl: 'An uploaded file with one group of trajectories a line, or data that was made of calls.',
    sft: 'An uploaded file with one conversation a line, or data that was made of calls.',
    pairs: 'An uploaded file with one pair a line, or data that was made of calls.',
    thumbs: 'An uploaded file with one judged answer a line, or data that was made of calls.',
  },
};
