// Runs the program for browsers in node: standard input has one JSON array of arguments a line, standard output one JSON object a line.
//   node tests/web/runs.js PROGRAM.js COURSE_FOLDER
'use strict';
const fs = require('fs'), path = require('path'), readline = require('readline');
const [, , program, course] = process.argv;
const createLanescope = require(path.resolve(program));
const compiled = WebAssembly.compile(fs.readFileSync(program.replace(/\.js$/, '.wasm')));

async function run(args) {
  const out = [], err = [], module = await compiled, start = performance.now();
  const made = await createLanescope({
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module));
      return {};
    },
    print: line => out.push(line),
    printErr: line => err.push(line),
    preRun: [m => { m.ENV.HOME = '/home/person'; m.ENV.LANESCOPE_HOME = '/lanescope'; m.ENV.LANESCOPE_LANGUAGE = 'en'; }],
  });
  made.FS.mkdirTree('/home/person');
  made.FS.mkdirTree('/lanescope');
  made.FS.mount(made.NODEFS, { root: path.resolve(course) }, '/lanescope');
  made.FS.chdir('/lanescope');
  let code;
  try {
    code = made.callMain(args);
  } catch (why) {
    code = -1;
    err.push(why instanceof WebAssembly.Exception ? made.getExceptionMessage(why).join(': ') : String(why && why.stack || why));
  }
  return { code, out: out.join('\n') + (out.length ? '\n' : ''), err: err.join('\n'), ms: performance.now() - start };
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const result = await run(JSON.parse(line));
    process.stdout.write(JSON.stringify(result) + '\n');
  }
})();
