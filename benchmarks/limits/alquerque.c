// Hand-optimised Alquerque (compulsory capture, whole turns, at most 200 turns): unrolled constant shifts, 4x64-bit packed step masks, pdep pick, lean chains.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <immintrin.h>
typedef uint64_t u64; typedef uint32_t u32;
#define FULL 0x1FFFFFFu
// directions: +1 +4 +5 +6 -1 -4 -5 -6 ; source masks
enum {EV=0x1555555u};
#define C(c) (0x108421u<<(c))
#define COLS01 (C(0)|C(1))
#define COLS34 (C(3)|C(4))
#define R_LO15 0x7FFFu
#define R_HI15 0x1FFFC00u
#define S0 (FULL&~C(4))
#define S1 (EV&0xFFFFFu&~C(0))
#define S2 0xFFFFFu
#define S3 (EV&0xFFFFFu&~C(4))
#define S4 (FULL&~C(0))
#define S5 (EV&0x1FFFFE0u&~C(4))
#define S6 0x1FFFFE0u
#define S7 (EV&0x1FFFFE0u&~C(0))
#define J0 (FULL&~COLS34)
#define J1 (EV&R_LO15&~COLS01)
#define J2 R_LO15
#define J3 (EV&R_LO15&~COLS34)
#define J4 (FULL&~COLS01)
#define J5 (EV&R_HI15&~COLS34)
#define J6 R_HI15
#define J7 (EV&R_HI15&~COLS01)
static u64 rs=0x9E3779B97F4A7C15ull;
static inline u64 rnd(void){u64 x=rs;x^=x<<13;x^=x>>7;x^=x<<17;rs=x;return x;}
static inline u32 rndn(u32 n){return (u32)(((rnd()>>32)*n)>>32);}
typedef struct {u32 me,op;} mv;
#define ALL(X) X(0,<<,>>,1) X(1,<<,>>,4) X(2,<<,>>,5) X(3,<<,>>,6) X(4,>>,<<,1) X(5,>>,<<,4) X(6,>>,<<,5) X(7,>>,<<,6)
static mv*chain(mv*o,u32 me,u32 op,u32 b){u32 e=FULL^(me|op);int any=0;
#define X(i,F,B,n) if(b&J##i&(op B n)&(e B (2*n))){any=1;o=chain(o,me,op^(b F n),b F (2*n));}
  ALL(X)
#undef X
  if(!any){o->me=me|b;o->op=op;o++;} return o;}
static u32 chainc(u32 me,u32 op,u32 b){u32 e=FULL^(me|op);u32 n=0;
#define X(i,F,B,s) if(b&J##i&(op B s)&(e B (2*s)))n+=chainc(me,op^(b F s),b F (2*s));
  ALL(X)
#undef X
  return n?n:1;}
#define CAPS(me,op) u32 e=FULL^((me)|(op));
static u64 perft(u32 me,u32 op,int d,int bulk){u32 e=FULL^(me|op);
#define X(i,F,B,n) u32 c##i=me&J##i&(op B n)&(e B (2*n));
  ALL(X)
#undef X
  u64 n=0;
  if(c0|c1|c2|c3|c4|c5|c6|c7){
    if(d==1&&bulk){
#define X(i,F,B,s) while(c##i){u32 b=c##i&-c##i;c##i^=b;n+=chainc(me^b,op^(b F s),b F (2*s));}
      ALL(X)
#undef X
      return n;}
    mv L[256],*o=L;
#define X(i,F,B,s) while(c##i){u32 b=c##i&-c##i;c##i^=b;o=chain(o,me^b,op^(b F s),b F (2*s));}
    ALL(X)
    if(d==1){for(mv*i=L;i<o;i++){__asm__ volatile(""::"r"(i->me),"r"(i->op));n++;}return n;}
    for(mv*i=L;i<o;i++)n+=perft(i->op,i->me,d-1,bulk); return n;}
#define Y(i,F,B,s) u32 m##i=me&S##i&(e B s);
  ALL(Y)
#define PK(a,b) ((u64)a|(u64)b<<32)
  if(d==1&&bulk)return __builtin_popcountll(PK(m0,m1))+__builtin_popcountll(PK(m2,m3))+__builtin_popcountll(PK(m4,m5))+__builtin_popcountll(PK(m6,m7));
  if(d==1){
#define Z(i,F,B,s) while(m##i){u32 b=m##i&-m##i;m##i^=b;u32 x=me^b^(b F s);__asm__ volatile(""::"r"(x));n++;}
  ALL(Z) return n;}
#define V(i,F,B,s) while(m##i){u32 b=m##i&-m##i;m##i^=b;n+=perft(op,me^b^(b F s),d-1,bulk);}
  ALL(V) return n;}
static u64 plies,wins[3];
static const int8_t DL[8]={1,4,5,6,-1,-4,-5,-6};
static void playout(void){u32 me=(1u<<10)-1|1u<<13|1u<<14,op=FULL&~(me|1u<<12);
  for(int t=0;t<200;t++){u32 e=FULL^(me|op),nm,no;
#define X_(i,F,B,n) u32 c##i=me&J##i&(op B n)&(e B (2*n));
    ALL(X_)
    if(c0|c1|c2|c3|c4|c5|c6|c7){mv L[256],*o=L; ALL(X) u32 n=o-L;u32 r=n>1?rndn(n):0;nm=L[r].me;no=L[r].op;}
    else{
      ALL(Y)
      u64 w0=PK(m0,m1),w1=PK(m2,m3),w2=PK(m4,m5),w3=PK(m6,m7);
      u32 n0=__builtin_popcountll(w0),n1=n0+__builtin_popcountll(w1),n2=n1+__builtin_popcountll(w2),n=n2+__builtin_popcountll(w3);
      if(!n){wins[(t&1)?0:1]++;return;}
      u32 r=rndn(n);
      u32 k=(r>=n0)+(r>=n1)+(r>=n2);
      u64 W[4]={w0,w1,w2,w3};u32 NB[4]={0,n0,n1,n2};
      u32 ix=__builtin_ctzll(_pdep_u64(1ull<<(r-NB[k]),W[k]));
      u32 p=ix&31,dd=2*k+(ix>>5);nm=me^(1u<<p)^(1u<<(p+DL[dd]));no=op;}
    plies++;me=no;op=nm;}
  wins[2]++;}
static double cpu(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
static void init(void){}
int main(int c,char**v){
  u32 me=(1u<<10)-1|1u<<13|1u<<14, op=FULL&~(me|1u<<12);
  // perft DEPTH | playouts GAMES: lines of a word and its numbers, for a program to read
  if(c>2&&!strcmp(v[1],"perft")){u64 n[64];int d=atoi(v[2]);if(d<1||d>64)return 2;double t=cpu();
    for(int i=0;i<d;i++)n[i]=perft(me,op,i+1,1);
    t=cpu()-t;printf("counts");for(int i=0;i<d;i++)printf(" %llu",(unsigned long long)n[i]);printf("\nseconds %.9f\n",t);return 0;}
  if(c>2&&!strcmp(v[1],"playouts")){int n=atoi(v[2]);double t=cpu();for(int k=0;k<n;k++)playout();t=cpu()-t;
    printf("games %d\nturns %llu\nseconds %.9f\n",n,(unsigned long long)plies,t);return 0;}
  int D=c>1?atoi(v[1]):8; int N=c>2?atoi(v[2]):300000; int R=c>3?atoi(v[3]):5;
  printf("perft(%d)=%llu\n",D,(unsigned long long)perft(me,op,D,1));
  double a[64];
  for(int b=1;b>=0;b--){u64 n=0;for(int i=0;i<R;i++){double t=cpu();n=perft(me,op,D,b);a[i]=n/(cpu()-t);}qsort(a,R,8,cmp);
    printf("perft %s: %.1f Mnodes/s (median of %d; min %.1f max %.1f)\n",b?"bulk":"nobulk",a[R/2]/1e6,R,a[0]/1e6,a[R-1]/1e6);}
  double q[64];u64 pl=0;for(int i=0;i<R;i++){plies=0;double t=cpu();for(int k=0;k<N;k++)playout();t=cpu()-t;a[i]=N/t;q[i]=plies/t;pl=plies;}
  qsort(a,R,8,cmp);qsort(q,R,8,cmp);
  printf("playouts: %.0f /s, %.2f Mmoves/s, %.2f ns/move, mean len %.2f; w %llu b %llu d %llu\n",a[R/2],q[R/2]/1e6,1e9/q[R/2],(double)pl/N,(unsigned long long)wins[0],(unsigned long long)wins[1],(unsigned long long)wins[2]);
}
