import type { TrainingJobDto } from '@hone/client';
import { parseArtifactRef } from '@hone/contracts/artifact-ref';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import page from '../../../shared/page/page.module.css';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { LineCard, type ScoringModels } from './line-card.js';
import { preferenceLines } from './preference-lines.js';

const SHOWN = 10;
const MAX_BYTES = 262_144;
/** As uploads of one file are stored. */
const ONLY_FILE = 'train.jsonl';

type ArtifactFile = Parameters<typeof hone.training.getArtifactFile>[0];

/** The first lines that a job learned from, with how likely the model found the answers before and after. */
export function PreferencesSection({ job }: { readonly job: TrainingJobDto }) {
  const file = fileOf(job.training_data_url ?? '');
  const lines = useQuery({
    queryKey: ['preference lines', job.training_data_url],
    queryFn: async ({ signal }) =>
      preferenceLines(await headOf(await hone.training.getArtifactFile(file as ArtifactFile, { signal })), SHOWN),
    // A version never changes.
    ...{ staleTime: Infinity, enabled: file !== null, retry: false },
  });
  const models = useScoringModels(job);
  if (file === null) return null;
  return (
    <section className={page['section']} aria-label="Preferences">
      <h2>What it learned from</h2>
      {lines.error ? (
        <ErrorNote error={lines.error} retry={() => void lines.refetch()} />
      ) : lines.isPending ? (
        <Loading what="the preferences" />
      ) : lines.data.length === 0 ? (
        <p className={page['muted']}>Its first lines cannot be shown.</p>
      ) : (
        <>
          <p className={page['muted']}>The first {lines.data.length} lines of the data.</p>
          {lines.data.map((line, at) => (
            <LineCard key={at} number={at + 1} line={line} models={models} />
          ))}
        </>
      )}
    </section>
  );
}

/** The file that a URL of training data names; null: it names no version of an artifact. */
function fileOf(url: string): ArtifactFile | null {
  const ref = parseArtifactRef(url);
  if (ref === undefined || ref.version === 'latest') return null;
  const { entity, project, name, version, file: path = ONLY_FILE } = ref;
  return { entity, project, name, version: `v${version}`, path };
}

/** The checkpoint that the job made, and what it started from or was compared with; null: there is none yet. */
function useScoringModels(job: TrainingJobDto): ScoringModels | null {
  const model = useQuery({
    queryKey: ['model', job.model_id],
    queryFn: ({ signal }) => hone.training.getTrainableModel({ model_id: job.model_id }, { signal }),
  });
  const step = job.produced_checkpoint?.step;
  const name = model.data?.inference_name;
  if (step === undefined || name === undefined) return null;
  const { reference } = job.config as { readonly reference?: unknown };
  const before = reference === 'base' ? 0 : (job.parent_checkpoint?.step ?? 0);
  const of = (at: number) => `${name.replace(/:[^:/]*$/, '')}:step${at}`;
  return { policy: of(step), reference: of(before) };
}

/** The beginning of a file, which may end in the middle of a line. */
async function headOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
