import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.tsx';

export interface TaxonomyEdit {
  run: () => Promise<unknown>;
  /** Said when it is done. */
  done: string;
}

/** One change of the table of kinds; the page is read again after it. */
export function useTaxonomyEdit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: TaxonomyEdit) => edit.run().then(() => edit.done),
    onSuccess: (done) => {
      void client.invalidateQueries({ queryKey: ['taxonomy'] });
      toast(done);
    },
  });
}
