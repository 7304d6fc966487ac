/** What is kept of the checklist for each person. */
export interface FirstSteps {
  searched?: boolean;
  dismissed?: boolean;
}

interface Step {
  key: 'search' | 'people' | 'backups' | 'alerts';
  title: string;
  detail: string;
  action: string;
  href: string;
  /** Undefined while it is not known. */
  done: boolean | undefined;
}

/** The steps for a person; all but the search need an administrator. */
export function firstSteps(known: {
  searched: boolean;
  admin: boolean;
  people: number | undefined;
  backups: boolean | undefined;
  channels: number | undefined;
}): Step[] {
  const search: Step = {
    key: 'search',
    title: 'Try a search',
    detail: 'Type a few words. Names and contents are searched, typos included.',
    action: 'Search',
    href: '#/',
    done: known.searched,
  };
  if (!known.admin) return [search];
  const more = (count: number | undefined, least: number) => (count === undefined ? undefined : count >= least);
  return [
    search,
    {
      key: 'people',
      title: 'Add a person',
      detail: 'Everybody sees only what you allow.',
      action: 'Add a person',
      href: '#/admin',
      done: more(known.people, 2),
    },
    {
      key: 'backups',
      title: 'Switch on backups',
      detail: 'They hold tags, notes and settings. Your files are not part of them.',
      action: 'Choose a schedule',
      href: '#/admin/backups',
      done: known.backups,
    },
    {
      key: 'alerts',
      title: 'Be told when something is wrong',
      detail: 'Add a channel, such as e-mail, and choose what is reported.',
      action: 'Add a channel',
      href: '#/alerts',
      done: more(known.channels, 1),
    },
  ];
}
