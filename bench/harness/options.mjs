import { parseArgs } from 'node:util';

export const USAGE = `Options:
  --quick             small sizes, short rounds: shows that everything runs, not how fast it is
  --only a,b          only these measures of the bench
  --json              the result as JSON on stdout; progress stays on stderr
  --model <path>      a GGUF file or a model folder, instead of the bundled model (bench engine)
  --against <folder>  another built checkout, measured in the same run (bench gateway)
  --cpu-prof <folder> CPU profiles of the measured services, one file per process`;

/** @returns {{ name?: string, quick: boolean, json: boolean, only: string[], cpuProf?: string, against?: string, model?: string, error?: string }} */
export function parseOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        'cpu-prof': { type: 'string' },
        model: { type: 'string' },
        against: { type: 'string' },
      },
    });
    if (positionals.length > 1) return { error: `One bench at a time, not ${positionals.join(' and ')}.` };
    return {
      name: positionals[0],
      quick: values.quick,
      json: values.json,
      only: values.only.split(',').filter(Boolean),
      cpuProf: values['cpu-prof'],
      against: values.against,
      model: values.model,
    };
  } catch (error) {
    return { error: error.message };
  }
}
