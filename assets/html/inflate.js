// Unpacks what zlib packed (RFC 1950, RFC 1951). Browsers have this too (DecompressionStream), but not all that people
// use, and one way that is always taken is one way that is tested.

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
                     195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
                       3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

// A table from the next 15 bits, as they come, to symbol × 16 + length of its code.
function codeTable(lengths) {
    const count = new Uint16Array(LONGEST_CODE + 1), next = new Uint16Array(LONGEST_CODE + 2);
    for (const length of lengths) count[length]++;
    count[0] = 0;
    for (let bits = 1; bits <= LONGEST_CODE; bits++) next[bits + 1] = (next[bits] + count[bits]) << 1;
    const table = new Uint16Array(1 << LONGEST_CODE);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
        const length = lengths[symbol];
        if (length === 0) continue;
        let code = next[length]++, reversed = 0;
        for (let i = 0; i < length; i++, code >>= 1) reversed = reversed << 1 | code & 1;
        for (let i = reversed; i < table.length; i += 1 << length) table[i] = symbol << 4 | length;
    }
    return table;
}

class BitReader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
        this.held = 0;   // bits that were read ahead
        this.count = 0;  // how many
    }

    fill(wanted) {
        while (this.count < wanted) {
            this.held |= (this.at < this.bytes.length ? this.bytes[this.at] : 0) << this.count;
            this.at++;
            this.count += 8;
        }
    }

    bits(wanted) {
        if (wanted === 0) return 0;
        this.fill(wanted);
        const value = this.held & (1 << wanted) - 1;
        this.held >>>= wanted;
        this.count -= wanted;
        return value;
    }

    symbol(table) {
        this.fill(LONGEST_CODE);
        const entry = table[this.held & (1 << LONGEST_CODE) - 1];
        const length = entry & 15;
        if (length === 0) throw new Error("the page is damaged: an unknown code");
        this.held >>>= length;
        this.count -= length;
        return entry >> 4;
    }

    skipToByte() {
        const spare = this.count >> 3;
        this.at -= spare;
        this.held = this.count = 0;
    }
}

class Output {
    constructor() {
        this.bytes = new Uint8Array(1 << 16);
        this.size = 0;
    }

    room(more) {
        if (this.size + more <= this.bytes.length) return;
        const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.size + more));
        larger.set(this.bytes.subarray(0, this.size));
        this.bytes = larger;
    }

    repeat(distance, length) {
        if (distance > this.size) throw new Error("the page is damaged: a reference before its beginning");
        this.room(length);
        for (let i = 0; i < length; i++, this.size++) this.bytes[this.size] = this.bytes[this.size - distance];
    }
}

function readTables(reader) {
    const literals = reader.bits(5) + 257, distances = reader.bits(5) + 1, codes = reader.bits(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < codes; i++) codeLengths[CODE_LENGTH_ORDER[i]] = reader.bits(3);
    const table = codeTable(codeLengths), lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length;) {
        const symbol = reader.symbol(table);
        if (symbol < 16) {
            lengths[i++] = symbol;
            continue;
        }
        const value = symbol === 16 ? lengths[i - 1] : 0;
        const times = symbol === 16 ? 3 + reader.bits(2) : symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7);
        lengths.fill(value, i, i + times);
        i += times;
    }
    return [codeTable(lengths.subarray(0, literals)), codeTable(lengths.subarray(literals))];
}

function fixedTables() {
    const lengths = new Uint8Array(288).fill(8);
    lengths.fill(9, 144, 256).fill(7, 256, 280);
    return [codeTable(lengths), codeTable(new Uint8Array(30).fill(5))];
}

function readBlock(reader, output, [literals, distances]) {
    for (;;) {
        const symbol = reader.symbol(literals);
        if (symbol === 256) return;
        if (symbol < 256) {
            output.room(1);
            output.bytes[output.size++] = symbol;
            continue;
        }
        const length = LENGTH_BASE[symbol - 257] + reader.bits(LENGTH_BITS[symbol - 257]);
        const far = reader.symbol(distances);
        output.repeat(DISTANCE_BASE[far] + reader.bits(DISTANCE_BITS[far]), length);
        if (reader.at > reader.bytes.length + 8) throw new Error("the page is damaged: it ends early");
    }
}

function readStored(reader, output) {
    reader.skipToByte();
    const length = reader.bytes[reader.at] | reader.bytes[reader.at + 1] << 8;
    reader.at += 4;
    output.room(length);
    output.bytes.set(reader.bytes.subarray(reader.at, reader.at + length), output.size);
    output.size += length;
    reader.at += length;
}

function checksum(bytes) {  // Adler-32
    let a = 1, b = 0;
    for (let i = 0; i < bytes.length;) {
        for (const end = Math.min(i + 3800, bytes.length); i < end; i++) b += a += bytes[i];
        a %= 65521;
        b %= 65521;
    }
    return (b << 16 | a) >>> 0;
}

function inflate(bytes) {
    const reader = new BitReader(bytes), output = new Output();
    reader.at = 2;  // zlib's head
    for (let last = 0; !last;) {
        last = reader.bits(1);
        const kind = reader.bits(2);
        if (kind === 0) readStored(reader, output);
        else if (kind < 3) readBlock(reader, output, kind === 1 ? fixedTables() : readTables(reader));
        else throw new Error("the page is damaged: an unknown block");
    }
    const text = output.bytes.subarray(0, output.size), end = bytes.length - 4;
    const wanted = (bytes[end] << 24 | bytes[end + 1] << 16 | bytes[end + 2] << 8 | bytes[end + 3]) >>> 0;
    if (checksum(text) !== wanted) throw new Error("the page is damaged: its checksum is another one");
    return text;
}

