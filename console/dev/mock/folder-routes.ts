import type { Routes } from './route.ts';

/** The folders of the server, for the folder picker. */
export const folderRoutes: Routes = {
  'GET /fs/browse': ({ query }) => {
    const path = query.get('path') || '/mnt';
    return {
      path,
      parent: path === '/mnt' ? null : path.slice(0, path.lastIndexOf('/')) || '/',
      roots: ['/mnt', '/srv'],
      dirs: (path === '/mnt' ? ['backup', 'nas', 'photos', 'studio'] : ['2023', '2024']).map((name) => ({
        name,
        path: `${path}/${name}`,
        readable: name !== 'backup',
        network: name === 'nas',
      })),
      truncated: false,
    };
  },
  'GET /fs/count': ({ query }) => ({
    path: query.get('path'),
    files: 1_392_723,
    unreadable: 1,
    complete: true,
    left_out: [
      { by: ['system_files'], files: 21_870 },
      { by: ['node_modules_build'], files: 2439 },
      { by: ['hidden_dotfiles'], files: 318 },
    ],
    dirs: [
      { name: 'photos', files: 1_204_311, complete: true },
      { name: 'studio', files: 188_412, complete: true },
    ],
  }),
};
