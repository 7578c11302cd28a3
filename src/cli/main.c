#include <stdio.h>

int main(void)
{
	puts("awl " AWL_VERSION);
	return 0;
}
