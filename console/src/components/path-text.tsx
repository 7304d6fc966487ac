import s from './path-text.module.css';

/** A path that breaks after slashes, and inside a name only if the name is longer than the line. */
export function PathText({ path }: { path: string }) {
  return [...path.matchAll(/[^/]*\/|[^/]+$/g)].map(({ 0: part, index }) => (
    <span key={index} className={s.part}>
      {part}
    </span>
  ));
}
