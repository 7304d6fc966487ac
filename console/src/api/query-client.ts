import { QueryClient } from '@tanstack/react-query';
import { whenServerReturns } from './connection.ts';
import { Problem, ServerAway } from './problem.ts';

/** Server answers in memory. A problem the service words is final; a missing server is knocked at by connection.ts, not by each query. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !(error instanceof Problem || error instanceof ServerAway) && failures < 2,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  whenServerReturns(() => void client.invalidateQueries());
  return client;
}
