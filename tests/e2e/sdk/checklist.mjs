// Which members of the installed SDK the suite has to exercise, for the checklist of test_sdk_suite.py:
//
//   node checklist.mjs FOLDER_OF_THE_SDK
import path from 'node:path';
import { Declarations } from './declarations.mjs';

const declarations = new Declarations(path.join(process.argv[2], 'sdk.d.ts'));

console.log(JSON.stringify({ options: [...declarations.members('Options').keys()],
                             methods: [...declarations.members('Query').keys()] }));
