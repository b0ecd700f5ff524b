import type { FileProblem } from '@/api/generated/types';
import { capitalise } from '@/lib/text';
import { useIncrementalRows } from '@/ui/useIncrementalRows';

interface Props {
  title: string;
  problems: readonly FileProblem[];
}

/** Problems of files, each with its place, its cause and its remedy. */
export function FileProblems({ title, problems }: Props) {
  const { rendered, placeholder } = useIncrementalRows(problems);
  return (
    <section aria-label={title} className="min-w-0">
      <p className="font-semibold">{title}</p>
      <ul className="mt-2 divide-y divide-line rounded-control border border-line">
        {rendered.map((problem) => (
          <li key={`${describePlace(problem)} ${problem.message}`} className="wrap-anywhere grid gap-0.5 px-3 py-2">
            <span className="text-muted text-secondary tabular-nums">{describePlace(problem)}</span>
            <span>{capitalise(problem.message)}</span>
          </li>
        ))}
      </ul>
      {placeholder}
    </section>
  );
}

function describePlace({ file, line, column }: FileProblem): string {
  return line === null ? file : `${file}, line ${line}, column ${column}`;
}

export function countWarnings(count: number): string {
  return count === 1 ? '1 warning' : `${count} warnings`;
}
