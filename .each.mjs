import { parseSync } from 'vite';import {readFileSync} from 'node:fs';import {files} from './.w.mjs';
const parts=p=>Object.values(p).flat().filter(v=>v&&typeof v==='object'&&typeof v.type==='string');
for(const f of files().filter(f=>/\.(test|e2e)\.tsx?$/.test(f))){const src=readFileSync(f,'utf8');const visit=p=>{
 if(p.type==='CallExpression'&&p.callee.type==='CallExpression'){const b=p.callee.callee;if(b.type==='MemberExpression'&&/^(it|test|describe)$/.test(src.slice(b.object.start,b.object.end).split('.')[0])&&b.property.name==='each'){
  const n=src.slice(p.arguments[0].start,p.arguments[0].end).slice(1,-1);const a=p.callee.arguments[0];
  const rows=a?.type==='ArrayExpression'?a.elements.slice(0,9).map(e=>e.type==='ArrayExpression'?e.elements.slice(0,(n.match(/%\w/g)||[]).length||1).map(x=>src.slice(x.start,x.end).replace(/\s+/g,' ').slice(0,60)).join(' , '):src.slice(e.start,e.end).replace(/\s+/g,' ').slice(0,70)):[src.slice(a.start,a.end).replace(/\s+/g,' ').slice(0,80)];
  if(/%s|\$/.test(n))console.log(f.split('/').pop()+':'+src.slice(0,p.arguments[0].start).split('\n').length+' '+n+'\n   '+rows.join(' | ').slice(0,420));}}
 for(const c of parts(p))visit(c)};visit(parseSync(f,src).program)}
