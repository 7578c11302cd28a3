// The least that a program in Node can do with these lines: read each from a file and write it.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: createReadStream(process.argv[2]) }))
  process.stdout.write(line + '\n');
