import { Menu } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Button } from '../../parts/button.tsx';

/** The keys of the filter language people need most, each with an example. */
const FILTERS = [
  { label: 'Modified', text: 'modified:2023..2024', example: 'a year, a month, or a range' },
  { label: 'Size', text: 'size:>10m', example: 'over or under' },
  { label: 'Tag', text: 'tag:', example: 'exactly this tag' },
  { label: 'Folder', text: 'path:', example: 'below a folder' },
  { label: 'File type', text: 'ext:', example: 'an extension' },
  { label: 'Kind', text: 'kind:', example: 'image, document, …' },
  { label: 'Missing files', text: 'is:missing', example: 'no longer on disk' },
  { label: 'Files with a problem', text: 'has:error', example: 'could not be read' },
  { label: 'Without a word', text: '-', example: 'leaves a word out' },
] as const;

/** Puts a piece of the filter language into the box, ready to be completed. */
export function FilterMenu({ onAdd }: { onAdd: (text: string) => void }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="ghost" size="s" className="sm-hide">
          <Plus size={16} aria-hidden />
          Filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FILTERS.map((filter) => (
          <Menu.Item
            key={filter.text}
            onClick={() => onAdd(filter.text)}
            rightSection={<span className="muted meta">{filter.example}</span>}
          >
            {filter.label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/" target="_blank">
          The whole filter language
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
