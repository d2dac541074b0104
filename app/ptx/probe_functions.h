// The functions that instrumented code calls, as PTX text. They have their own registers, and their names
// begin with lanescope_.
#pragma once

namespace lanescope::ptx {

// - thread returns the address of the calling thread's cursor, or 0 if the thread is not recorded. This is
//   the first argument of the other functions.
// - first returns the same, but 0 for every thread except that of slot 0.
// - stamp writes a record with the SM's number and %globaltimer.
// - point writes a record with the active mask and %clock64.
// - record1 … record4 write a record (head, extra, value), then data records with further values.
// - check stops the launch with a trap before an access that the GPU would stop: one at a wrong multiple of
//   its size, at a null pointer, beyond the shared memory of a block of the cluster, or outside of the ranges
//   of memory. The first thread that does so writes ptx::Verdict. The bits above an offset in shared memory
//   have the block's rank in its cluster.
// - check_call does the same before a call of an address that no function has.
constexpr const char* probe_functions = R"(
.visible .const .align 8 .b64 lanescope_state[5];

.func (.reg .b64 %thread) lanescope_thread()
{
	.reg .pred 	%one, %off;
	.reg .b32 	%x, %y, %z, %nx, %ny, %block, %slot;
	.reg .b64 	%table, %at, %from;
	mov.u32 	%x, %ctaid.x;
	mov.u32 	%y, %ctaid.y;
	mov.u32 	%z, %ctaid.z;
	mov.u32 	%nx, %nctaid.x;
	mov.u32 	%ny, %nctaid.y;
	mad.lo.u32 	%y, %z, %ny, %y;
	mad.lo.u32 	%block, %y, %nx, %x;
	mov.b32 	%slot, %block;
	ld.const.u64 	%table, [lanescope_state+8];
	setp.ne.u64 	%one, %table, 0;
	mad.wide.u32 	%at, %block, 4, %table;
	@%one ld.global.u32 	%slot, [%at];
	setp.eq.u32 	%off, %slot, -1;
	mov.u32 	%x, %tid.x;
	mov.u32 	%y, %tid.y;
	mov.u32 	%z, %tid.z;
	mov.u32 	%nx, %ntid.x;
	mov.u32 	%ny, %ntid.y;
	mad.lo.u32 	%y, %z, %ny, %y;
	mad.lo.u32 	%x, %y, %nx, %x;
	mov.u32 	%z, %ntid.z;
	mul.lo.u32 	%ny, %ny, %z;
	mul.lo.u32 	%nx, %nx, %ny;
	mad.wide.u32 	%at, %slot, %nx, 0;
	cvt.u64.u32 	%from, %x;
	add.u64 	%at, %at, %from;
	shl.b64 	%at, %at, 3;
	ld.const.u64 	%from, [lanescope_state];
	add.u64 	%at, %at, %from;
	selp.b64 	%thread, 0, %at, %off;
	ret;
}

.func (.reg .b64 %first) lanescope_first(.reg .b64 %thread)
{
	.reg .pred 	%is;
	.reg .b64 	%from;
	ld.const.u64 	%from, [lanescope_state];
	setp.eq.u64 	%is, %from, %thread;
	selp.b64 	%first, %thread, 0, %is;
	ret;
}
)";

constexpr const char* probe_state = "lanescope_state[5]";
constexpr const char* probe_checked_state = "lanescope_state[8]";
// In probe_check; the second one is for GPUs with clusters.
constexpr const char* probe_is_shared = "isspacep.shared \t";
constexpr const char* probe_is_shared_of_cluster = "isspacep.shared::cluster \t";
constexpr const char* probe_check = R"(
.func lanescope_check(.reg .b64 %thread, .reg .b32 %active, .reg .b32 %head, .reg .b64 %address, .reg .b32 %size)
{
	.reg .pred 	%on, %bad, %is, %in, %more;
	.reg .b32 	%why;
	.reg .b64 	%verdict, %end, %table, %left, %from, %to, %old;
	ld.const.u64 	%verdict, [lanescope_state+40];
	setp.eq.u64 	%is, %verdict, 0;
	@%is ret;
	setp.ne.u32 	%on, %active, 0;
	cvt.u64.u32 	%from, %size;
	add.u64 	%end, %address, %from;
	ld.const.u64 	%table, [lanescope_state+48];
	ld.const.u64 	%left, [lanescope_state+56];
	setp.eq.u64 	%in, %left, 0;
NEXT:
	setp.ne.u64 	%more, %left, 0;
	@!%more bra 	CHECKED;
	ld.global.u64 	%from, [%table];
	ld.global.u64 	%to, [%table+8];
	setp.ge.u64 	%is, %address, %from;
	setp.le.and.u64 	%is, %end, %to, %is;
	or.pred 	%in, %in, %is;
	add.u64 	%table, %table, 16;
	sub.u64 	%left, %left, 1;
	bra.uni 	NEXT;
CHECKED:
	setp.ge.and.u64 	%in, %address, 65536, %in;
	not.pred 	%bad, %in;
	isspacep.global 	%is, %address;
	and.pred 	%bad, %bad, %is;
	selp.u32 	%why, 1, 0, %bad;
	isspacep.shared 	%is, %address;
	cvta.to.shared.u64 	%from, %address;
	and.b64 	%from, %from, 16777215;
	cvt.u64.u32 	%to, %size;
	add.u64 	%from, %from, %to;
	mov.u32 	%size, %total_smem_size;
	cvt.u64.u32 	%old, %size;
	add.u64 	%old, %old, 1024;
	setp.gt.and.u64 	%is, %from, %old, %is;
	selp.u32 	%why, 2, %why, %is;
	sub.u64 	%to, %to, 1;
	and.b64 	%to, %to, %address;
	setp.ne.u64 	%is, %to, 0;
	selp.u32 	%why, 3, %why, %is;
	setp.ne.and.u32 	%bad, %why, 0, %on;
$STOP)";
// With calls of addresses: the same before a call, unless %is_function is not 0.
constexpr const char* probe_check_call = R"(
.func lanescope_check_call(.reg .b64 %thread, .reg .b32 %active, .reg .b32 %head, .reg .b64 %address, .reg .b32 %is_function)
{
	.reg .pred 	%bad, %is;
	.reg .b32 	%why;
	.reg .b64 	%verdict, %to, %old;
	ld.const.u64 	%verdict, [lanescope_state+40];
	setp.eq.u64 	%is, %verdict, 0;
	@%is ret;
	mov.u32 	%why, 4;
	setp.eq.u32 	%is, %is_function, 0;
	setp.ne.and.u32 	%bad, %active, 0, %is;
$STOP)";
constexpr const char* probe_stop =
    R"(	mov.b64 	%to, {%head, %why};
	mov.u64 	%old, 1;
	@%bad atom.global.cas.b64 	%old, [%verdict], 0, %to;
	setp.eq.and.u64 	%is, %old, 0, %bad;
	@%is st.global.u64 	[%verdict+8], %address;
	@%is st.global.u64 	[%verdict+16], %thread;
	@%is membar.sys;
	@%is trap;
	@%bad exit;
	ret;
}
)";

// With GridSlots: declarations, and the function `child`, which takes slots for a child grid, writes the
// first one's number behind the arguments, and records it.
constexpr const char* probe_grids = R"(
.visible .global .align 8 .b64 lanescope_slots;
.shared .align 8 .b64 lanescope_grid;
)";
constexpr const char* probe_child = R"(
.func lanescope_child(.reg .b64 %thread, .reg .b32 %head, .reg .b64 %buffer, .reg .b64 %threads)
{
	.reg .pred 	%is;
	.reg .b64 	%base, %at;
	setp.ne.u64 	%is, %buffer, 0;
	mov.u64 	%base, 0;
	mov.u64 	%at, lanescope_slots;
	@%is atom.global.add.u64 	%base, [%at], %threads;
	@%is st.u64 	[%buffer+$OFFSET], %base;
	call.uni lanescope_record1, (%thread, %head, 0, %base);
	ret;
}
)";
// In the text of the functions above: what is replaced, and by what.
constexpr const char* probe_slot =
    "	add.u64 	%at, %at, %from;\n	shl.b64 	%at, %at, 3;\n";
constexpr const char* probe_grid_slot = R"(	add.u64 	%at, %at, %from;
	ld.shared.u64 	%from, [lanescope_grid];
	add.u64 	%at, %at, %from;
	ld.const.u64 	%from, [lanescope_state+32];
	setp.ge.u64 	%off, %at, %from;
	shl.b64 	%at, %at, 3;
)";
constexpr const char* probe_is_first = "	setp.eq.u64 	%is, %from, %thread;\n";
constexpr const char* probe_is_first_of_grid = R"(	{
	.reg .b64 	%base;
	ld.shared.u64 	%base, [lanescope_grid];
	shl.b64 	%base, %base, 3;
	add.u64 	%from, %from, %base;
	}
	setp.eq.u64 	%is, %from, %thread;
)";

// $PARAMETERS, $COMPUTE, $EXTRA, $VALUE: of the first record; $MORE: code that appends data records.
constexpr const char* probe_record = R"(
.func lanescope_$NAME(.reg .b64 %thread, .reg .b32 %head$PARAMETERS)
{
	.reg .pred 	%on, %fits;
	.reg .b32 	%word, %more;
	.reg .b64 	%next, %stride, %end, %stamp;
	setp.ne.u64 	%on, %thread, 0;
	mov.u64 	%next, 0;
	@%on ld.global.u64 	%next, [%thread];
	ld.const.u64 	%stride, [lanescope_state+16];
	ld.const.u64 	%end, [lanescope_state+24];
$COMPUTE	setp.lt.and.u64 	%fits, %next, %end, %on;
	@%fits st.global.v2.b32 	[%next], {%head, $EXTRA};
	@%fits st.global.b64 	[%next+8], $VALUE;
	add.u64 	%next, %next, %stride;
$MORE	@%on st.global.u64 	[%thread], %next;
	ret;
}
)";

constexpr const char* probe_more = R"(	setp.lt.and.u64 	%fits, %next, %end, %on;
	@%fits st.global.v2.b32 	[%next], {%more, 0};
	@%fits st.global.b64 	[%next+8], $VALUE;
	add.u64 	%next, %next, %stride;
)";

}  // namespace lanescope::ptx
