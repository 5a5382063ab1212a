import type { ArtifactStore, FolderFile } from '@hone/artifacts';
import { type DiagnosisIssueDto, parseArtifactRef } from '@hone/contracts';
import { Inject, Injectable } from '@nestjs/common';

import type { ResolvedData } from '../jobs/training-data.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { DiagnosisRepository } from './diagnosis.repository.js';

/** Larger files are judged when their job is planned. */
const MAX_BYTES = 64 * 1_048_576;
const PREFERRED = ['train.jsonl', 'trajectories.jsonl'];

export type FoundLines = { readonly lines: Buffer } | { readonly issue: DiagnosisIssueDto };

/** The lines of a job's data, as far as they can be read without a job. */
@Injectable()
export class DataLines {
  constructor(
    private readonly artifacts: DiagnosisRepository,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /** @param loc of the URL in the body */
  async find({ url, lines, versionId }: ResolvedData, loc: string[] = LOC): Promise<FoundLines> {
    if (lines) return { lines };
    const version = versionId && (await this.artifacts.findFiles(versionId));
    if (!version) return notChecked('The lines are fetched when the job is planned.', loc);
    const named = parseArtifactRef(url)?.file;
    const file = chooseFile(named === undefined ? version.files : version.files.filter(({ path }) => path === named));
    if (!file) return { issue: noDataFile(loc) };
    if (file.bytes > MAX_BYTES) return notChecked(`The file has more than ${MAX_BYTES} bytes.`, loc);
    return { lines: await this.store.read(`${version.uri}/${file.path}`, file.sha256) };
  }
}

function chooseFile(files: readonly FolderFile[]): FolderFile | undefined {
  for (const path of PREFERRED) {
    const file = files.find((one) => one.path === path);
    if (file) return file;
  }
  const candidates = files.filter(({ path }) => path.endsWith('.jsonl'));
  return candidates.length === 1 ? candidates[0] : undefined;
}

const LOC = ['training_data_url'];

const notChecked = (message: string, loc: string[]): FoundLines => ({
  issue: { loc, code: 'data.not_checked', severity: 'warning', message, hint: null },
});

const noDataFile = (loc: string[]): DiagnosisIssueDto => ({
  loc,
  code: 'data.artifact_file',
  severity: 'error',
  message: 'The artifact has no train.jsonl, no trajectories.jsonl, and not exactly one other *.jsonl.',
  hint: 'Upload the lines as train.jsonl.',
});
