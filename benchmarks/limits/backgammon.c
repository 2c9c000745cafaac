// Hand-optimised backgammon: random playouts over all legal plays, + counting of distinct plays. gcc -O3 -march=native
// Standard rules: 24 points, bar, bear-off (higher die may bear off from the highest point), doubles x4, must use as many dice as possible,
// if only one die of two can be used the higher must be. No cube. Single game until one side has borne off 15. No plies cap (4000 guard).
// Position: own[26],opp[26] from the mover's view, 1..24 points (24 = far), 25=bar, 0=off. After a play the sides swap (point p <-> 25-p).
// MODE pos: choose uniformly among DISTINCT resulting positions. MODE seq: uniformly among die-move sequences of full length
//  (non-doubles: both orders, doubles: from-points non-increasing) without merging equal results.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
typedef uint64_t u64; typedef uint32_t u32; typedef int8_t i8;
typedef struct {i8 own[32],opp[32];} P; // padded
static u64 rs=0x9E3779B97F4A7C15ull;
static inline u64 rnd(void){u64 x=rs;x^=x<<13;x^=x>>7;x^=x<<17;rs=x;return x;}
static inline u32 rndn(u32 n){return (u32)(((rnd()>>32)*n)>>32);}
static u64 ZO[26],ZP[26];
// a play = up to 4 (from,die) steps; keep the resulting hash and the steps
typedef struct {u64 h; i8 fr[4],di[4]; i8 n,pad[7];} play;
static play L[8192]; static int NL,maxn,DEDUP=1; static u32 hmark[8192],hstamp; static u64 hkey[8192]; 
typedef struct {i8 own[26],opp[26];int pips_back;} S;
static i8 cur_fr[4],cur_di[4];
static inline void emit(u64 h,int n,int usedhi){
  if(n<maxn)return; if(n>maxn){maxn=n;NL=0;hstamp++;}
  if(DEDUP){u32 i=(u32)(h>>40)&8191;for(;hmark[i]==hstamp;i=(i+1)&8191)if(hkey[i]==h)return;hmark[i]=hstamp;hkey[i]=h;}
  play*p=&L[NL++];p->h=h;p->n=n;memcpy(p->fr,cur_fr,4);memcpy(p->di,cur_di,4);
}
// own bitboard occupancy speeds scanning
static i8 *OWN,*OPP; static u32 occ; // occ bit p set when own[p]>0
static u32 blk; // bit p set when opp has >=2 on p (mover's coordinates)
static u32 blot; // bit p set when opp has exactly 1
static inline int canmove(int p,int d){ // p in 1..25
  int t=p-d; if(t>0)return !((blk>>t)&1);
  if(occ>>7)return 0; // some checker above 6
  if(t==0)return 1; return !(occ>>(p+1)); // overshoot only from the highest
}
static void rec(const i8*dice,int nd,int k,int from,u64 h,int dbl){
  int any=0; 
  if(k<nd){int d=dice[k];
    u32 c; if((occ>>25)&1)c=1u<<25; else {c=occ&~1u; }
    if(dbl)c&=(2u<<from)-1;
    // legal sources as a bit set: target not blocked, p>d ; plus bear-offs
    u32 ok=c&~(blk<<d)&~((2u<<d)-1);
    if(!(occ>>7)){ if((c>>d)&1)ok|=1u<<d; else {u32 hi=31-__builtin_clz(occ|1); if((int)hi<d&&hi>0&&((c>>hi)&1))ok|=1u<<hi;} }
    while(ok){int p=31-__builtin_clz(ok);ok^=1u<<p;any=1;
      int t=p-d; if(t<0)t=0;
      u64 nh=h-ZO[p]; u32 socc=occ,sblot=blot; 
      if(--OWN[p]==0)occ&=~(1u<<p);
      int hit=0; if(t>0){OWN[t]++;occ|=1u<<t;nh+=ZO[t]; if((blot>>t)&1){hit=1;blot&=~(1u<<t);nh+=ZP[t];}}
      cur_fr[k]=p;cur_di[k]=d;
      rec(dice,nd,k+1,p,nh,dbl);
      OWN[p]++; if(t>0)OWN[t]--; occ=socc;blot=sblot; (void)hit;
    }}
  if(!any&&k>0)emit(h,k,0);
}
static int gen(P*s,int a,int b){ // a>=b
  OWN=s->own;OPP=s->opp;occ=blk=blot=0;
  for(int p=1;p<=25;p++)if(OWN[p])occ|=1u<<p;
  for(int p=1;p<=24;p++){int o=OPP[25-p];if(o>=2)blk|=1u<<p;else if(o==1)blot|=1u<<p;}
  NL=0;maxn=0;hstamp++;
  if(a==b){i8 d[4]={a,a,a,a};rec(d,4,0,25,0,1);}
  else{i8 d1[2]={a,b};rec(d1,2,0,25,0,0); if(maxn==1){int n1=NL;if(n1>0){ // one die: higher preferred; but lower-first may reach 2
        i8 d2[2]={b,a};play sv[64];int ns=NL;memcpy(sv,L,ns*sizeof(play));rec(d2,2,0,25,0,0);
        if(maxn==1){memcpy(L,sv,ns*sizeof(play));NL=ns;} return NL;}}
    i8 d2[2]={b,a};rec(d2,2,0,25,0,0);}
  return NL;}
static void apply(P*s,const play*q){for(int i=0;i<q->n;i++){int p=q->fr[i],t=p-q->di[i];s->own[p]--;if(t>0){s->own[t]++;if(s->opp[25-t]==1){s->opp[25-t]=0;s->opp[25]++;}}else s->own[0]++;}}
static void start(P*s){memset(s,0,sizeof*s);i8 *o=s->own;o[24]=2;o[13]=5;o[8]=3;o[6]=5;o=s->opp;o[24]=2;o[13]=5;o[8]=3;o[6]=5;}
static inline void swp(P*s){P t=*s;memcpy(s->own,t.opp,32);memcpy(s->opp,t.own,32);}
static u64 plies,legal;
static void playout(void){P s;start(&s);
  for(int t=0;t<4000;t++){u32 r=rndn(36);int a=r/6+1,b=r%6+1;if(a<b){int x=a;a=b;b=x;}
    int n=gen(&s,a,b);plies++;legal+=n; if(n){apply(&s,&L[n>1?rndn(n):0]);if(s.own[0]==15)return;} swp(&s);}}
static u64 perft(P*s,int d){ // sum over the 21 rolls of distinct plays (no weighting)
  u64 n=0;for(int a=1;a<=6;a++)for(int b=1;b<=a;b++){int k=gen(s,a,b);if(!k){if(d==1){n++;continue;}P c=*s;swp(&c);n+=perft(&c,d-1);continue;}
    if(d==1){n+=k;continue;}
    play*Q=malloc(k*sizeof(play));memcpy(Q,L,k*sizeof(play));
    for(int i=0;i<k;i++){P c=*s;apply(&c,&Q[i]);if(c.own[0]==15){continue;}swp(&c);n+=perft(&c,d-1);}free(Q);}
  return n;}
static double cpu(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
int main(int c,char**v){
  for(int i=0;i<26;i++){ZO[i]=rnd();ZP[i]=rnd();}
  // perft DEPTH | playouts GAMES: lines of a word and its numbers, for a program to read; both in mode pos
  if(c>2&&!strcmp(v[1],"perft")){u64 n[8];int d=atoi(v[2]);if(d<1||d>8)return 2;double t=cpu();
    for(int i=0;i<d;i++){P q;start(&q);n[i]=perft(&q,i+1);}
    t=cpu()-t;printf("counts");for(int i=0;i<d;i++)printf(" %llu",(unsigned long long)n[i]);printf("\nseconds %.9f\n",t);return 0;}
  if(c>2&&!strcmp(v[1],"playouts")){int n=atoi(v[2]);double t=cpu();for(int k=0;k<n;k++)playout();t=cpu()-t;
    printf("games %d\nturns %llu\nseconds %.9f\n",n,(unsigned long long)plies,t);return 0;}
  int N=c>1?atoi(v[1]):20000,R=c>2?atoi(v[2]):5,D=c>3?atoi(v[3]):2;
  P s;start(&s);
  printf("distinct plays from the start:");int tot=0;for(int a=1;a<=6;a++)for(int b=1;b<=a;b++){int k=gen(&s,a,b);tot+=k;printf(" %d%d:%d",a,b,k);}printf(" total %d\n",tot);
  for(int d=1;d<=D;d++){double a[32];u64 n=0;for(int i=0;i<R;i++){start(&s);double t=cpu();n=perft(&s,d);a[i]=n/(cpu()-t);}qsort(a,R,8,cmp);printf("perft(%d)=%llu  %.1f Mnodes/s\n",d,(unsigned long long)n,a[R/2]/1e6);}
  for(DEDUP=1;DEDUP>=0;DEDUP--){double a[32],q[32];u64 pl=0;for(int i=0;i<R;i++){plies=legal=0;double t=cpu();for(int k=0;k<N;k++)playout();t=cpu()-t;a[i]=N/t;q[i]=plies/t;pl=plies;}
    qsort(a,R,8,cmp);qsort(q,R,8,cmp);
    printf("%s playouts %.0f /s (min %.0f max %.0f)  %.3f Mturns/s  %.1f ns/turn  mean len %.2f turns  mean legal plays %.2f  %.1f ns/play generated\n",DEDUP?"pos":"seq",a[R/2],a[0],a[R-1],q[R/2]/1e6,1e9/q[R/2],(double)pl/N,(double)legal/pl,1e9/q[R/2]/((double)legal/pl));}
}
